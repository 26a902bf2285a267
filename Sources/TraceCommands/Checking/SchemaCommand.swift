internal import ArgumentParser
internal import TraceFormat

/// `trace schema`
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Print the format of a kind of record as JSON Schema (2020-12).",
        discussion: """
            Other programs and editors can check a record with it before they write it. Without a kind, the kinds are \
            listed. docs/rules.md says what a schema can't.
            """)

    @Argument(
        help: "session, timeline, marker, voice_note, transcript or action.", transform: oneOfItsWords)
    var kind: RecordKind?
    @Flag(help: "Print one object with the schemas of all kinds, each under its name.")
    var all = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if all, kind != nil {
            throw ValidationError("--all prints every kind; leave '\(kind?.rawValue ?? "")' out")
        }
    }

    func run() throws {
        if all { return show(JSONSchemaDocument.documentsOfAllKinds()) }
        if let kind { return show(JSONSchemaDocument.document(for: kind)) }
        if global.json { return Output.json(.array(RecordKind.allCases.map(\.json))) }
        let rows = RecordKind.allCases.map {
            [$0.rawValue, $0.fileName, JSONSchemaDocument.identifier(of: $0)]
        }
        Output.line(Table(rows, header: ["KIND", "FILE", "SCHEMA"]).text)
    }

    private func show(_ document: JSONText) { Output.json(global.json ? document : document.indented) }
}

extension RecordKind {
    /// The kind with the keys of docs/cli-json.md.
    fileprivate var json: JSONText {
        .object { object in
            object.member("kind", JSONText(rawValue))
            object.member("file", JSONText(fileName))
            object.member("schema", JSONText(JSONSchemaDocument.identifier(of: self)))
        }
    }
}
