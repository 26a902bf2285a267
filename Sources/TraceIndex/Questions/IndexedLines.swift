package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore
internal import TraceText

/// Reads the lines of records out of the files, and only while they are those records still. A file is opened
/// once for all records of it that come one after the other.
package final class IndexedLines {
    private var current: Source?
    private var converted: Converted?

    /// An open file, and what looks at its lines.
    private struct Source {
        let session: FilePath
        let kind: EntryKind
        let file: OpenRegularFile
        let checker: RecordChecker
        let summarizer: RecordSummarizer
    }

    /// The records of a document that is converted when it is read, by their places.
    private struct Converted {
        let session: FilePath
        let slot: FileSlot
        let records: [Int: DocumentRecord]
    }

    private let formats: JournalRegistry

    /// - Parameter formats: The kinds of journal that records may be of.
    package init(_ formats: JournalRegistry) { self.formats = formats }

    /// The bytes of a record's line, without its line break.
    ///
    /// - Parameter take: Gets the record that is on the line, valid for the length of the call: that the line still holds it is
    ///   checked by parsing it, so a caller that wants more of it need not parse it again.
    /// - Throws: ``IndexError`` with `.stale` if the file holds another line there now; `TraceStore`'s `FileError` if it can't
    ///   be read.
    package func line(
        of record: IndexedRecord, _ take: (RecordChecker.Record) -> Void = { _ in }
    ) throws -> [UInt8] {
        if case .document? = formats.entry(record.kind)?.file.container { return try part(of: record) }
        let source = try open(record)
        // Lines are not that long, and a row of a damaged database may say anything.
        guard (0...LineBuffer.maximumLineLength).contains(record.byteLength) else {
            throw Self.stale(record)
        }
        guard let line = try source.file.line(at: record.byteOffset, length: record.byteLength),
            Self.holds(line, record, source, take)
        else { throw Self.stale(record) }
        return line
    }

    /// The bytes of a document's record, as they stand but for a note that is shown otherwise.
    private func part(of record: IndexedRecord) throws -> [UInt8] {
        guard record.byteLength != 0 else { return try Self.shown(conversion(of: record), record) }
        guard record.byteLength > 0, let name = record.file.lastComponent,
            let file = try OpenDirectory(record.file.removingLastComponent()).openRegularFile(name)
        else { throw Self.stale(record) }
        let bytes = try file.bytes(at: Int64(record.byteOffset), count: record.byteLength)
        guard bytes.count == record.byteLength, Self.holds(bytes, record) else { throw Self.stale(record) }
        return try Self.shown(bytes, record)
    }

    /// A record of which no bytes of the file are: what its document is converted to has it.
    private func conversion(of record: IndexedRecord) throws -> [UInt8] {
        guard let slot = formats.entry(record.kind)?.file.slot else { throw Self.stale(record) }
        if converted?.session != record.session || converted?.slot != slot {
            let snapshot = try formats.snapshot(at: record.session, settleTime: .zero)
            let reading = try snapshot.flatMap { try $0.format.read(slot, of: $0) }
            converted = Converted(
                session: record.session, slot: slot,
                records: Dictionary(
                    (reading?.records ?? []).map { ($0.range.lowerBound, $0) }, uniquingKeysWith: { $1 }))
        }
        guard let found = converted?.records[record.byteOffset], let bytes = found.converted,
            found.kind == record.kind, found.id == record.otherID ?? record.id?.description,
            found.time == record.wallTime, found.text == record.text,
            found.note == record.note
        else { throw Self.stale(record) }
        return bytes
    }

    /// With the note that the index has, where a kind of journal shows people another one than is in the file: a name that nobody is to
    /// see.
    private static func shown(_ bytes: [UInt8], _ record: IndexedRecord) throws -> [UInt8] {
        guard let note = record.note, bytes.first == UInt8(ascii: "{") else { return bytes }
        let written = try? JSONParser().withParsed(bytes) { $0[name: "note"]?.string }
        guard let written = written ?? nil, written != note else { return bytes }
        var editor = try JSONObjectEditor(bytes)
        try editor.set("note", to: JSONText(note))
        return editor.bytes
    }

    /// Whether a part of a document is that record still: an object of its id, or one member with a text.
    private static func holds(_ bytes: [UInt8], _ record: IndexedRecord) -> Bool {
        let isObject = bytes.first == UInt8(ascii: "{")
        let text = isObject ? bytes : [UInt8(ascii: "{")] + bytes + [UInt8(ascii: "}")]
        guard let id = record.otherID ?? record.id?.description, isObject else {
            return (try? JSONParser().withParsed(text) { $0.kind == .object }) ?? false
        }
        let found = try? JSONParser().withParsed(text) { $0[name: "id"]?.string?.lowercased() }
        return found == id.lowercased()
    }

    private func open(_ record: IndexedRecord) throws -> Source {
        if let current, current.kind == record.kind, current.session == record.session { return current }
        let directory = try OpenDirectory(record.session)
        guard let name = FilePath.Component(record.fileName),
            case .lines(let schema)? = formats.entry(record.kind)?.file.container,
            let file = try directory.openRegularFile(name)
        else {
            throw Self.stale(record)
        }
        let source = Source(
            session: record.session, kind: record.kind, file: file,
            checker: try RecordChecker(schema: schema, strictness: .readable),
            summarizer: RecordSummarizer(schema))
        current = source
        return source
    }

    /// Whether a line holds that record still: its id, its place and its words.
    private static func holds(
        _ bytes: some Collection<UInt8>, _ record: IndexedRecord, _ source: Source,
        _ take: (RecordChecker.Record) -> Void
    ) -> Bool {
        PaddedBytes.withLine(bytes) { line in
            guard let checked = source.checker.check(line, report: { _ in }) else { return false }
            let summary = source.summarizer.summary(of: checked, on: line)
            // A moment is kept as an offset into nothing: since 1970.
            let offset = record.offset?.milliseconds ?? record.wallTime?.milliseconds
            guard
                summary.id == record.id, summary.offset?.milliseconds == offset, summary.text == record.text,
                summary.note == record.note
            else { return false }
            take(checked)
            return true
        }
    }

    private static func stale(_ record: IndexedRecord) -> IndexError {
        IndexError(
            .stale, "line \(record.line) has changed since the index read it", path: record.file,
            cure: "try again when the session has been reconciled")
    }
}
