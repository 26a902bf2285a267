internal import RecordFormat
package import TraceFormat
internal import TraceText

/// Writes markers as rows of a table for other programs.
package enum MarkerExport: String, Sendable, CaseIterable {
    /// Comma-separated values: fields with commas, quotes or line breaks in quotes.
    ///
    /// Source: RFC 4180; line breaks are `\n`.
    case csv
    /// Tab-separated values: tabs, line breaks and backslashes in fields as `\t`, `\n`, `\r` and `\\`.
    case tsv
    /// The records, one JSON object a line.
    case jsonl

    /// The names of the columns that ``append(_:to:)`` fills.
    package static let columns = [
        "id", "offset_ms", "time", "duration_ms", "label", "note", "tags", "voice_note_id", "created_at",
        "source",
    ]

    /// Appends fields to a row.
    package func append(fields: [String], to row: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { row.append(separator) }
            append(field: field, to: &row)
        }
    }

    /// Appends what is in the columns; several tags are separated by spaces, which no tag can have. For `jsonl` there is none.
    package func append(_ marker: Marker, to row: inout [UInt8]) {
        marker.id.append(to: &row)
        row.append(separator)
        row.append(number: marker.offset.milliseconds)
        row.append(separator)
        row.append(clock: marker.offset)
        row.append(separator)
        if let duration = marker.duration { row.append(number: duration.milliseconds) }
        row.append(separator)
        if let label = marker.label { append(field: label, to: &row) }
        row.append(separator)
        if let note = marker.note { append(field: note, to: &row) }
        row.append(separator)
        append(field: marker.tags.joined(separator: " "), to: &row)
        row.append(separator)
        if let id = marker.voiceNoteID { id.append(to: &row) }
        row.append(separator)
        marker.createdAt?.append(to: &row)
        row.append(separator)
        row += marker.source.rawValue.utf8
    }

    /// What is between two fields.
    package var separator: UInt8 { self == .tsv ? UInt8(ascii: "\t") : UInt8(ascii: ",") }

    func append(field: String, to row: inout [UInt8]) {
        let bytes = field.utf8
        switch self {
        case .csv:
            guard bytes.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
                row += bytes
                return
            }
            row.append(0x22)
            for byte in bytes {
                if byte == 0x22 { row.append(0x22) }
                row.append(byte)
            }
            row.append(0x22)
        case .tsv:
            guard bytes.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C }) else {
                row += bytes
                return
            }
            for byte in bytes {
                switch byte {
                case 0x09: row += "\\t".utf8
                case 0x0A: row += "\\n".utf8
                case 0x0D: row += "\\r".utf8
                case 0x5C: row += "\\\\".utf8
                default: row.append(byte)
                }
            }
        case .jsonl: return
        }
    }
}
