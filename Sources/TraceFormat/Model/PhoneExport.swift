package import RecordFormat
internal import TraceText

/// What the phone app has waiting when it is exported: JSON arrays of pending markers and pending voice
/// notes.
///
/// Source: docs/queue.md#what-the-phone-app-exported.
package struct PhoneExport: Sendable {
    /// What waits, in the order of the text.
    package private(set) var items: [Item] = []

    /// A waiting item.
    package struct Item: Sendable, Equatable {
        /// Where it is in the export.
        package var place: Finding.Place
        package var record: Record
        /// Keys that no record of the format can take.
        package var unknownKeys: [String] = []
    }

    package enum Record: Sendable, Equatable {
        case marker(PendingMarker)
        case voiceNote(PendingVoiceNote)
    }

    /// A marker that has no id yet.
    package struct PendingMarker: Sendable, Equatable {
        package var tag: String?
        package var offset: SessionOffset
        package var createdAt: Timestamp
        /// The moment as it is written.
        package var createdAtText: String
    }

    /// A voice note whose audio is next to the export.
    package struct PendingVoiceNote: Sendable, Equatable {
        package var id: ULID
        package var createdAt: Timestamp
        /// The moment as it is written.
        package var createdAtText: String
        package var mediaPath: String
        package var offset: SessionOffset
        package var duration: SessionOffset
        /// The name of its audio file.
        package var fileName: String
    }

    /// Reads an export: one array, several one after the other, or arrays in an array.
    ///
    /// - Parameter file: The file name in the places of errors.
    /// - Throws: ``FormatError`` with `.jsonMalformed` or `.recordInvalid`, the place in its message.
    package init(parsing text: [UInt8], file: String) throws(FormatError) {
        var reader = Reader(text: text, file: file)
        try reader.read()
        items = reader.items
    }
}

/// Reads the elements of an export with their places.
private struct Reader {
    let text: [UInt8]
    let file: String
    var items: [PhoneExport.Item] = []
    /// The lines before the last element, so that a long export is counted through once.
    private var counted = (position: 0, line: 1, lineStart: 0)

    init(text: [UInt8], file: String) {
        self.text = text
        self.file = file
    }

    mutating func read() throws(FormatError) {
        let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let values = try ranges(in: start..<text.count) { bytes throws(JSONScanner.Failure) in
            try JSONScanner.values(of: bytes)
        }
        for value in values { try read(array: value) }
    }

    private mutating func read(array range: Range<Int>) throws(FormatError) {
        let elements = try ranges(in: range) { bytes throws(JSONScanner.Failure) in
            try JSONScanner.elements(of: bytes)
        }
        for element in elements {
            if text[element.lowerBound] == UInt8(ascii: "[") {
                try read(array: element)
            } else {
                items.append(try item(in: element))
            }
        }
    }

    /// What the scanner finds in a part of the text, as places in the whole of it.
    private func ranges(
        in range: Range<Int>,
        _ scan: (UnsafeRawBufferPointer) throws(JSONScanner.Failure) -> [Range<Int>]
    ) throws(FormatError) -> [Range<Int>] {
        let found = text[range].withUnsafeBytes { bytes in
            Result { () throws(JSONScanner.Failure) in try scan(bytes) }
        }
        switch found {
        case .success(let ranges):
            return ranges.map { $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound }
        case .failure(let failure):
            throw FormatError(
                .jsonMalformed, "\(place(of: range.lowerBound + failure.position)): \(failure.reason)",
                cure: "use the file as the app exported it: JSON arrays of pending markers or voice notes")
        }
    }

    // MARK: - One element

    private mutating func item(in range: Range<Int>) throws(FormatError) -> PhoneExport.Item {
        for position in counted.position..<range.lowerBound where text[position] == 0x0A {
            counted.line += 1
            counted.lineStart = position + 1
        }
        counted.position = range.lowerBound
        let place = Finding.Place(
            file: file, line: counted.line, byteOffset: range.lowerBound,
            column: range.lowerBound - counted.lineStart + 1)
        let element = Element(text: Array(text[range]), place: place)
        let names = try element.names()
        let isVoiceNote = names.contains("media_path") || names.contains("localFileName")
        let known =
            isVoiceNote
            ? ["id", "created_at", "media_path", "offset_ms", "duration_ms", "localFileName"]
            : ["tag", "offset_ms", "created_at"]
        return PhoneExport.Item(
            place: element.place, record: isVoiceNote ? try element.voiceNote() : try element.marker(),
            unknownKeys: names.filter { !known.contains($0) })
    }

    private func place(of position: Int) -> Finding.Place {
        let before = text[..<position]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return Finding.Place(
            file: file, line: before.count { $0 == 0x0A } + 1, byteOffset: position,
            column: position - lineStart + 1)
    }
}

/// An element of an array: its text, and where it begins.
private struct Element {
    let text: [UInt8]
    let place: Finding.Place

    func names() throws(FormatError) -> [String] {
        let members = text.withUnsafeBytes { bytes in
            Result { () throws(JSONScanner.Failure) in try JSONScanner.members(of: bytes) }
        }
        guard case .success(let members) = members else { throw invalid("this is not an object") }
        return members.map(\.name)
    }

    func marker() throws(FormatError) -> PhoneExport.Record {
        let (createdAt, spelled) = try moment("created_at")
        return .marker(
            PhoneExport.PendingMarker(
                tag: try optional("tag") { $0.string }, offset: try milliseconds("offset_ms"),
                createdAt: createdAt, createdAtText: spelled))
    }

    func voiceNote() throws(FormatError) -> PhoneExport.Record {
        let (createdAt, spelled) = try moment("created_at")
        let mediaPath = try required("media_path", "a string") { $0.string }
        let fileName = try optional("localFileName") { $0.string } ?? mediaPath
        return .voiceNote(
            PhoneExport.PendingVoiceNote(
                id: try required("id", "a ULID") { $0.utf8.flatMap(ULID.init(bytes:)) },
                createdAt: createdAt, createdAtText: spelled, mediaPath: mediaPath,
                offset: try milliseconds("offset_ms"), duration: try milliseconds("duration_ms"),
                // The app writes a path of its own device now and then.
                fileName: fileName.split(separator: "/").last.map(String.init) ?? fileName))
    }

    private func milliseconds(_ name: StaticString) throws(FormatError) -> SessionOffset {
        SessionOffset(
            milliseconds: try required(name, "an integer of milliseconds, 0 or more") { value in
                value.integer.flatMap { $0 >= 0 ? $0 : nil }
            })
    }

    private func moment(_ name: StaticString) throws(FormatError) -> (Timestamp, String) {
        try required(name, "a time such as 2026-02-04T20:00:00Z") { value in
            value.timestamp.flatMap { moment in value.string.map { (moment, $0) } }
        }
    }

    private func required<Value>(
        _ name: StaticString, _ what: String, _ read: (JSONValue) -> Value?
    ) throws(FormatError) -> Value {
        guard let value = try optional(name, read) else {
            throw invalid("\(name) is missing, or not \(what)")
        }
        return value
    }

    private func optional<Value>(
        _ name: StaticString, _ read: (JSONValue) -> Value?
    ) throws(FormatError) -> Value? {
        let parser = try JSONParser()
        return (try? parser.withParsed(text) { $0[name: name].flatMap(read) }) ?? nil
    }

    private func invalid(_ message: String) -> FormatError {
        FormatError(
            .recordInvalid, "\(place): \(message)", cure: "correct it in the file, then import it again")
    }
}
