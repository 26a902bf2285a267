package import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceStore
internal import TraceText

/// How a person names a marker or a voice note of a session: by its id, by the beginning or the end of that, as `last`, or by
/// where it is (`@1:30`).
package enum RecordName: Equatable {
    case id(ULID)
    /// The one whose line was written last.
    case last
    /// Those that are within, which is as exact as what was typed: `@1:30` is a whole second.
    case place(ClosedRange<SessionOffset>)
    /// In upper case.
    case part(String)

    /// Of fewer characters many ids have the same.
    static let shortestPart = 4

    /// - Returns: Nil if it can't be a name.
    /// - Throws: ``FormatError`` with `.offsetMalformed` for what follows an `@`.
    init?(_ text: String) throws {
        if let id = ULID(text.uppercased()) {
            self = .id(id)
        } else if text == "last" {
            self = .last
        } else if text.hasPrefix("@") {
            let place = String(text.dropFirst())
            let start = try OffsetExpression.duration(place).milliseconds
            self = .place(
                SessionOffset(
                    milliseconds: start)...SessionOffset(
                        milliseconds: start.addingClamped(Self.precision(of: place) - 1)))
        } else {
            guard let part = Self.part(ofID: text) else { return nil }
            self = .part(part)
        }
    }

    /// What may be a part of an id, in upper case; nil for everything else, and for a whole id.
    static func part(ofID text: String) -> String? {
        let part = text.uppercased()
        guard part.utf8.count >= shortestPart, part.utf8.count < 26,
            part.utf8.allSatisfy({ "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.contains($0) })
        else { return nil }
        return part
    }

    /// How many milliseconds an offset stands for that was typed so.
    private static func precision(of text: String) -> Int64 {
        guard text.contains(":") || text.hasSuffix("s") && !text.hasSuffix("ms") else { return 1 }
        guard let point = text.lastIndex(where: { ".,".contains($0) }) else { return 1000 }
        return switch text[point...].dropFirst().prefix(while: \.isNumber).count {
        case 1: 100
        case 2: 10
        default: 1
        }
    }

    /// Whether a record may be meant; which one is `last` shows when all are known.
    func matches(_ id: ULID, at offset: SessionOffset?) -> Bool {
        switch self {
        case .id(let wanted): id == wanted
        case .last: true
        case .place(let range): offset.map(range.contains) ?? false
        case .part(let part): id.description.hasPrefix(part) || id.description.hasSuffix(part)
        }
    }
}

extension RecordName {
    /// The id of the record that is named so.
    ///
    /// - Parameter kind: Markers or voice notes.
    /// - Throws: ``LibraryError`` with `.recordNameMalformed`, `.recordNotFound` or `.recordAmbiguous`; ``FormatError``, ``FileError``.
    /// - Complexity: O(1) for a whole id, else O(size of the file).
    package static func id(of text: String, _ kind: RecordKind, in session: SessionTarget) throws -> ULID {
        let noun = kind.words
        guard let name = try RecordName(text) else {
            throw LibraryError(
                .recordNameMalformed, "'\(text)' is not the id of a \(noun)",
                cure:
                    "write its 26 characters, \(shortestPart) or more characters from its beginning or end, 'last', or "
                    + "@1:30 for its offset")
        }
        if case .id(let id) = name { return id }
        let found = try name.records(kind, in: SessionReader(session.directory))
        if found.count == 1 { return found[0].id }
        if found.isEmpty {
            throw LibraryError(
                .recordNotFound, "no \(noun) of \(session.path.escaped) matches '\(text)'",
                cure:
                    "\(verb: "\(kind == .marker ? "markers" : "voice-notes") list \((session.path.lastComponent?.escaped ?? ".").asShellWord)") lists the ids"
            )
        }
        let shown = found.prefix(5).map { record in
            [record.id.description, record.offset?.tenths, record.text.map { "\"\($0.oneLine)\"" }]
                .compactMap(\.self).joined(separator: " ")
        }
        throw LibraryError(
            .recordAmbiguous,
            "'\(text)' names \(counted(found.count, noun)) of \(session.path.escaped): "
                + shown.joined(separator: ", ") + (found.count > shown.count ? ", …" : ""),
            cure: "write more of the id")
    }

    /// The record that a new one refers to; nil if `text` is nil or empty. A whole id is taken wherever its record is.
    ///
    /// - Parameters:
    ///   - key: What the format calls the reference.
    ///   - session: Nil if it is not available.
    /// - Throws: As ``id(of:_:in:)``.
    package static func reference(
        _ text: String?, _ key: String, to kind: RecordKind, in session: SessionTarget?
    ) throws -> ULID? {
        guard let text, !text.isEmpty else { return nil }
        if let id = ULID(text) { return id }
        guard let session, try RecordName(text) != nil else {
            throw LibraryError(.recordNameMalformed, "\(key) '\(text)' is not a ULID")
        }
        return try id(of: text, kind, in: session)
    }

    /// No more of those that a name fits are held.
    private static let mostRecords = 1000

    private func records(_ kind: RecordKind, in session: SessionReader) throws -> [NamedRecord] {
        if self == .last {
            var last: NamedRecord?
            try session.read(kind) { last = NamedRecord($0.id, $0.offset, $0.text) ?? last }
            return [last].compactMap(\.self)
        }
        var count = 0
        return try session.authoritative(
            kind, where: { line in line.id.map { matches($0, at: line.offset) } ?? false }
        ) { record -> NamedRecord? in
            count += 1
            if count > Self.mostRecords { return nil }
            return kind == .marker
                ? Marker(record).flatMap { NamedRecord($0.id, $0.offset, $0.label) }
                : VoiceNote(record).flatMap { NamedRecord($0.id, $0.offset, $0.transcript) }
        }.map(\.value)
    }
}

extension RecordKind {
    /// What people call a record of this kind.
    var words: String { rawValue.replacing("_", with: " ") }
}

/// The properties by which records are distinguished.
private struct NamedRecord {
    let id: ULID
    let offset: SessionOffset?
    let text: String?

    init?(_ id: ULID?, _ offset: SessionOffset?, _ text: String?) {
        guard let id else { return nil }
        (self.id, self.offset, self.text) = (id, offset, text)
    }
}
