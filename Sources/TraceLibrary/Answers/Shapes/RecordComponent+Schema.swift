package import RecordFormat
internal import TraceFormat

extension RecordComponent {
    /// What `trace schema` prints of it.
    var schema: JSONText {
        if self == .entry {
            return Self.object("A record of a journal other than a session, as it is in the file")
        }
        return RecordKind(rawValue: rawValue).map(JSONSchemaDocument.document)
            ?? JSONSchemaDocument.queueEntry
    }

    /// Its schema among the components. What HTTP sends of a record is its line as it is in the file, even where that breaks
    /// a rule, so no more is promised of it than that it is an object; of an entry of the queue, which HTTP receives, all of
    /// ``schema`` is required.
    package func schema(forHTTP: Bool) -> JSONText {
        guard forHTTP, self != .queueEntry, self != .entry else { return schema }
        return Self.object(
            "A record as it is in the session, valid or not; 'trace schema \(rawValue)' prints what the format requires"
        )
    }

    /// Any object.
    private static func object(_ description: String) -> JSONText {
        .object { object in
            object.member("type", "object")
            object.member("description", description)
        }
    }
}
