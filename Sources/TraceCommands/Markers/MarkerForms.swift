internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Markers as lines for people and scripts: columns that are separated by tabs.
struct MarkerColumns: MarkerWriter {
    func write(_ item: ExportItem, to text: inout [UInt8]) {
        let marker = item.marker
        Self.append(
            id: marker.id, offset: marker.offset, label: marker.label, tags: marker.tags,
            voiceNote: marker.voiceNoteID, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    /// Appends the columns of a marker; what it lacks is left out.
    static func append(
        id: ULID?, offset: SessionOffset, label: String?, tags: [String], voiceNote: ULID?,
        to text: inout [UInt8]
    ) {
        let tab = UInt8(ascii: "\t")
        id?.append(to: &text)
        text.append(tab)
        text += "\(offset.milliseconds)".utf8
        if let label, !label.isEmpty {
            text.append(tab)
            text += label.oneLine.utf8
        }
        if !tags.isEmpty {
            text.append(tab)
            text += tags.joined(separator: ",").oneLine.utf8
        }
        if let voiceNote {
            text.append(tab)
            voiceNote.append(to: &text)
        }
    }
}

/// The records of markers as they are in the file, as one JSON array on a line.
struct MarkerArray: MarkerWriter {
    func begin(_ text: inout [UInt8]) { text.append(UInt8(ascii: "[")) }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        if item.number > 0 { text.append(UInt8(ascii: ",")) }
        text += item.line
    }

    func end(_ text: inout [UInt8]) { text += "]\n".utf8 }
}
