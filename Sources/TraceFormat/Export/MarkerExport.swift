/// Spells markers as rows of a table for other programs.
package enum MarkerExport: String, Sendable, CaseIterable {
    /// Comma-separated values: fields with commas, quotes or line breaks in quotes.
    ///
    /// Source: RFC 4180; line breaks are `\n`.
    case csv
    /// Tab-separated values: tabs, line breaks and backslashes in fields as `\t`, `\n`, `\r` and `\\`.
    case tsv
    /// The records, one JSON object a line.
    case jsonl

    /// The names of the columns that ``fields(of:)`` fills.
    package static let columns = [
        "id", "offset_ms", "time", "duration_ms", "label", "note", "tags", "voice_note_id", "created_at",
        "source",
    ]

    /// What stands in the columns; several tags are separated by spaces, which no tag can have.
    package static func fields(of marker: Marker) -> [String] {
        [
            marker.id.description, String(marker.offset.milliseconds), marker.offset.description,
            marker.duration.map { String($0.milliseconds) } ?? "", marker.label ?? "", marker.note ?? "",
            marker.tags.joined(separator: " "), marker.voiceNoteID?.description ?? "",
            marker.createdAt?.description ?? "", marker.source.rawValue,
        ]
    }

    /// A row, without its line break; for `jsonl` there are none.
    package func row(_ fields: [String]) -> String {
        switch self {
        case .csv: fields.map(Self.quoted).joined(separator: ",")
        case .tsv: fields.map(Self.escaped).joined(separator: "\t")
        case .jsonl: ""
        }
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
    }

    private static func escaped(_ field: String) -> String {
        String(
            String.UnicodeScalarView(
                field.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    switch scalar {
                    case "\t": ["\\", "t"]
                    case "\n": ["\\", "n"]
                    case "\r": ["\\", "r"]
                    case "\\": ["\\", "\\"]
                    default: [scalar]
                    }
                }))
    }
}
