package import RecordFormat
internal import TraceText

/// Fixes values that are not in the format's canonical form: a time with an offset from UTC, an id in lower case. Every other
/// byte stays.
package struct CanonicalizationFix: Sendable {
    private let kind: RecordKind
    /// The file, or its conflict copy.
    private let name: String
    private let bytes: [UInt8]
    /// The times and ids that may need a fix; of `session.json` all of them.
    private let values: [EncodedValue]

    /// Reads the lines of a file of records, or of a conflict copy of it.
    ///
    /// - Parameter name: The copy's name; the kind's own file by default.
    package init(_ lines: RecordLines, of kind: RecordKind, name: String? = nil) {
        self.kind = kind
        self.name = name ?? kind.fileName
        bytes = lines.bytes
        values = bytes.withUnsafeBytes { bytes in
            lines.lines.filter { $0.facts?.isMisspelled == true }.flatMap { line in
                EncodedValue.all(
                    in: UnsafeRawBufferPointer(rebasing: bytes[line.range]), of: kind,
                    startingAt: line.range.lowerBound)
            }
        }
    }

    /// Reads `session.json`, or a conflict copy of it; a byte order mark in front stays.
    package init(header bytes: [UInt8], name: String = RecordKind.session.fileName) {
        kind = .session
        self.name = name
        self.bytes = bytes
        let start = RepairWording.lengthOfByteOrderMark(bytes)
        values = bytes.withUnsafeBytes { bytes in
            EncodedValue.all(
                in: UnsafeRawBufferPointer(rebasing: bytes[start...]), of: .session, startingAt: start)
        }
    }

    // MARK: - Ids

    /// Asks for the ids that are written in lower case.
    package func ask(_ ids: inout IDCensus) {
        for value in values where ULID(value.text) == nil {
            if let id = value.id { ids.ask(for: id) }
        }
    }

    /// Counts the ids that its records have. What is written as it should be in a file of records is counted by
    /// ``count(_:in:)``.
    package func count(in ids: inout IDCensus) {
        for value in values {
            guard case .id(of: let owner) = value.subject, let id = value.id else { continue }
            if kind != .session, ULID(value.text) != nil { continue }
            ids.count(id, spelled: value.text, as: owner, in: name)
        }
    }

    /// Counts the ids of records that are written as they should be.
    package func count(_ lines: RecordLines, in ids: inout IDCensus) {
        for line in lines.lines {
            guard let id = line.facts?.id, ids.wants(id) else { continue }
            ids.count(id, spelled: id.description, as: .record(kind), in: name)
        }
    }

    /// The session's own id, where it is written in lower case.
    package var misspelledSessionIDs: [ULID] {
        values.compactMap { value in
            value.subject == .id(of: .session) && ULID(value.text) == nil ? value.id : nil
        }
    }

    // MARK: - Mending

    /// The text as it is to be, and what was done to it.
    package func fixed(knowing ids: IDCensus) -> (bytes: [UInt8], fixes: [Fix]) {
        var result: [UInt8] = []
        var written = 0
        var places: [Fix.Kind: [String]] = [:]
        var counter = LineCounter()
        for value in values {
            guard let replacement = value.replacement(knowing: ids) else { continue }
            result += bytes[written..<value.range.lowerBound]
            result += JSONText(replacement).bytes
            written = value.range.upperBound
            let fix: Fix.Kind = value.subject == .time ? .utcTime : .idCase
            let line = counter.line(at: value.range.lowerBound, in: bytes)
            places[fix, default: []].append(place(of: value, on: line))
        }
        guard written > 0 else { return (bytes, []) }
        result += bytes[written...]
        let fixes = [Fix.Kind.utcTime, .idCase].compactMap { fix in
            places[fix].map { Fix(fix, in: kind.fileName, Self.reason(fix, $0)) }
        }
        return (result, fixes)
    }

    private func place(of value: EncodedValue, on line: Int) -> String {
        let item = value.mediaItem > 0 ? " of media item \(value.mediaItem)" : ""
        let line = kind == .session ? "" : " on line \(line)"
        return value.key + item + line + (name == kind.fileName ? "" : " of \(name)")
    }

    private static func reason(_ fix: Fix.Kind, _ places: [String]) -> String {
        let (noun, what) =
            fix == .utcTime
            ? ("time with an offset from UTC", "written in UTC, with Z")
            : ("id in lower case", "changed to upper case")
        let plural = fix == .utcTime ? "times with an offset from UTC" : "ids in lower case"
        let rest = places.count > 5 ? " and \(places.count - 5) more" : ""
        return "\(counted(places.count, noun, plural)) \(what): "
            + places.prefix(5).joined(separator: ", ") + rest
    }

    /// Counts lines up to places that are asked for in rising order.
    private struct LineCounter {
        private var position = 0
        private var line = 1

        mutating func line(at place: Int, in bytes: [UInt8]) -> Int {
            for index in position..<max(position, place) where bytes[index] == 0x0A { line += 1 }
            position = max(position, place)
            return line
        }
    }
}
