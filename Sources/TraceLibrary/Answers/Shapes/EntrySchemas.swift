internal import Journals
internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// What entries of the queue for journals of other kinds than the session may be, out of the declared operations of each kind.
enum EntrySchemas {
    /// The name of each schema among the components, with the schema.
    static let all: [(name: String, schema: JSONText)] = Journals.all.formats.compactMap { format in
        let kind = format.layout.kind
        let operations = format.surface.operations
        guard !operations.isEmpty else { return nil }
        let payloads = operations.map { operation in
            (EntryOperation(operation, of: kind), DeclaredParameter.schema(of: operation.parameters))
        }
        return (
            "\(kind.name.withCapital)Entry",
            JSONSchemaDocument.entry("An entry of the queue for a \(kind) journal", of: payloads)
        )
    }
}
