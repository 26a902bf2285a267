internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// `trace schema`
struct SchemaCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the format of a kind of record as JSON Schema (2020-12).",
        discussion: """
            Other programs and editors can check a record with it before they write it. Without a kind, lists the \
            kinds. docs/rules.md says what a schema can't express.
            """)

    @Argument(
        help:
            "session, timeline, marker, voice_note, transcript, action, or queue-entry for an entry of a spool.",
        completion: .list(Subject.all.map(\.name)), transform: subject)
    var kind: Subject?
    @Flag(help: "Print one object with the schemas of all kinds, each under its name.")
    var all = false
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func validate() throws {
        if all, kind != nil {
            throw ValidationError("--all prints every kind; leave '\(kind?.name ?? "")' out")
        }
    }

    func run() throws {
        if all { return show(JSONSchemaDocument.allDocuments()) }
        if let kind { return show(kind.document) }
        if global.json { return Output.json(.array(Subject.all.map(\.json))) }
        let rows = Subject.all.map { [$0.name, $0.file, "urn:trace:schema:\($0.name)"] }
        guard list.table.isOnScreen else { return list.table.print(rows, ["kind", "file", "schema"]) { $0 } }
        ListScreen.show(
            [.whole("KIND"), .whole("FILE"), .whole("SCHEMA")], rows.map { $0.map { TerminalCell($0) } })
    }

    private func show(_ document: JSONText) { Output.json(global.json ? document : document.indented) }
}

extension SchemaCommand {
    /// What a schema describes.
    enum Subject: Sendable {
        case record(RecordKind)
        case queueEntry

        static let all = RecordKind.allCases.map(Subject.record) + [.queueEntry]

        var name: String {
            switch self {
            case .record(let kind): kind.rawValue
            case .queueEntry: JSONSchemaDocument.queueEntryName
            }
        }

        var file: String {
            switch self {
            case .record(let kind): kind.fileName
            case .queueEntry: "<id>.json"
            }
        }

        var document: JSONText {
            switch self {
            case .record(let kind): JSONSchemaDocument.document(for: kind)
            case .queueEntry: JSONSchemaDocument.queueEntry
            }
        }

        /// The subject with the keys of docs/cli-json.md.
        var json: JSONText {
            .object { object in
                object.member("kind", JSONText(name))
                object.member("file", JSONText(file))
                object.member("schema", JSONText("urn:trace:schema:\(name)"))
            }
        }
    }
}

/// Reads the name of what there is a schema of.
private func subject(_ text: String) throws -> SchemaCommand.Subject {
    if let subject = SchemaCommand.Subject.all.first(where: { $0.name == text }) { return subject }
    let names = SchemaCommand.Subject.all.map { "'\($0.name)'" }.joined(separator: ", ")
    throw ValidationError("'\(text)' is not one of \(names)")
}
