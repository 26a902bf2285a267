internal import Journals
package import RecordFormat
internal import TraceFormat
internal import TraceStore

/// What entries of the queue may be, out of the declared operations of each kind of journal.
package enum EntrySchemas {
    /// The name of each schema among the components, with the schema: that of sessions first.
    package static let all: [(name: String, schema: JSONText)] =
        [(RecordComponent.queueEntry.name, RecordComponent.queueEntry.schema)]
        + Journals.all.formats.compactMap { format in
            let kind = format.layout.kind
            let operations = format.surface.operations
            guard !operations.isEmpty else { return nil }
            let payloads = operations.map { operation in
                (EntryOperation(operation, of: kind), DeclaredParameter.schema(of: operation.parameters))
            }
            return (
                "\(kind.name.capitalized)Entry",
                JSONSchemaDocument.entry("An entry of the queue for a \(kind) journal", of: payloads)
            )
        }
}

extension String {
    /// With a capital letter at its beginning.
    fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
