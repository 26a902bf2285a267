internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// `trace config show`
struct ConfigShow: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show every setting, its value and its origin.",
        discussion: "With a key, prints only its value; for a list, one line per element.")

    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }
    @Argument(
        help: "The key whose value is printed.", completion: .list(TraceKeys.all.map(\.name)))
    var key: String?

    func run() throws {
        try CommandFailure.explaining {
            let settings = try CommandContext(global).settings.all
            guard let key else { return show(settings) }
            guard let found = settings.first(where: { $0.key.name == key }) else {
                let names = settings.map(\.key.name)
                let hint =
                    nearestName(to: key, among: names).map { "did you mean '\($0)'?" }
                    ?? "the keys are: \(names.joined(separator: ", "))"
                throw CommandFailure(.usage, "unknown key '\(key.oneLine)'", cure: Cure(hint))
            }
            if global.json { Output.json(Self.json(found)) } else { Output.lines(found.texts) }
        }
    }

    private func show(_ settings: [TraceSettings.Shown]) {
        guard !global.json else { return Output.json(.array(settings.map(Self.json))) }
        guard list.table.isOnScreen else {
            let rows = settings.flatMap { setting in
                // A setting without a value has a row, too.
                let texts = setting.texts.isEmpty ? [""] : setting.texts
                return texts.map { [setting.key.name, $0, "\(setting.origin)"] }
            }
            return list.table.print(rows, ["key", "value", "from"]) { $0 }
        }
        let rows = settings.flatMap { setting in
            let first = [setting.key.name, setting.texts.first ?? "-", "\(setting.origin)"]
            return [first] + setting.texts.dropFirst().map { ["", $0, ""] }
        }
        ListScreen.show(
            [.whole("KEY"), .whole("VALUE"), .whole("FROM")], rows.map { $0.map { TerminalCell($0) } })
    }

    private static func json(_ setting: TraceSettings.Shown) -> JSONText {
        .object { object in
            object.member("key", JSONText(setting.key.name))
            let texts = setting.texts.map { JSONText($0) }
            object.member("value", setting.key.isList ? .array(texts) : texts.first ?? .null)
            object.member("source", JSONText(setting.origin.kind))
            object.member("from", JSONText("\(setting.origin)"))
            guard case .file(let path, let line) = setting.origin else { return }
            object.member("file", JSONText(path.escaped))
            object.member("line", line.map { JSONText(Int64($0)) })
        }
    }
}

extension SettingOrigin {
    /// What kind of source it is, in a word.
    fileprivate var kind: String {
        switch self {
        case .builtIn: "default"
        case .file: "file"
        case .environment: "environment"
        case .flag: "flag"
        }
    }
}
