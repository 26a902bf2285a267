internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace index rebuild`
struct IndexRebuild: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Discard the index and read every journal again.",
        discussion:
            "Never needed for correct answers: the files are authoritative, and the index is compared with them."
    )

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let library = context.comparedLibrary
            try library.openIndex().rebuild { _ = try library.bringUpToDate($0) }
            let sessions = try library.sessions()
            let others = try library.otherJournals(library.openIndex())
            let records =
                sessions.reduce(0) { $0 + $1.counts.values.reduce(0, +) }
                + others.reduce(0) { $0 + $1.recordCount }
            guard global.json else {
                let more = others.isEmpty ? "" : ", \(counted(others.count, "other journal"))"
                return Output.line("rebuilt: \(sessions.count) sessions\(more), \(records) records")
            }
            Output.json(
                .object { object in
                    object.member("sessions", JSONText(Int64(sessions.count)))
                    object.member("journals", JSONText(Int64(others.count)))
                    object.member("records", JSONText(Int64(records)))
                })
        }
    }
}
