internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceDigest
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace unplaced list`
struct UnplacedList: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the moments that are kept.")

    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            var unreadable: [CommandFailure] = []
            let library = context.libraryWriter
            let kept = library.keptMoments { unreadable.append(CommandFailure($0)) }
            if global.json {
                Output.json(kept.map { $0.json })
            } else if kept.isEmpty, unreadable.isEmpty {
                list.table.printNothing("no moment is kept", UnplacedMoment.names, context)
            } else if list.table.isOnScreen {
                let zone = try context.zone
                let covering = library.covering()
                ListScreen.show(
                    Self.columns,
                    kept.map { $0.moment.cells(in: zone, covering($0.moment.wallTime).map(\.path)) })
            } else {
                list.table.print(kept, UnplacedMoment.names, \.moment.fields)
            }
            try unreadable.end()
        }
    }

    private static let columns: [TerminalTable.Column] = [
        .whole("WHEN"), .text("WHAT", least: 12), .text("SESSION", least: 12, rank: 4), .whole("ID", rank: 8),
    ]
}

extension UnplacedMoment {
    /// What a marker is called.
    private var words: String {
        WrittenSubject.Record(kind.recordKind ?? .marker, id, record).label ?? ""
    }

    fileprivate static let names = ["id", "kind", "wall_time", "label", "typed_session"]

    fileprivate var fields: [String] {
        [id.description, kind.rawValue, wallTime.description, words, typedSession ?? ""]
    }

    /// - Parameter sessions: Those whose clocks cover the moment.
    fileprivate func cells(in zone: ZoneRules, _ sessions: [FilePath]) -> [TerminalCell] {
        let noun = kind.rawValue.replacing("_", with: " ")
        let names = sessions.map { $0.lastComponent?.escaped ?? $0.escaped }
        return [
            TerminalCell(zone.secondText(wallTime)),
            TerminalCell(words.isEmpty ? noun : "\(noun) \(words)"),
            TerminalCell((typedSession.map { [$0] } ?? names).joined(separator: ", ")),
            TerminalCell(id.description, .faint),
        ]
    }
}
