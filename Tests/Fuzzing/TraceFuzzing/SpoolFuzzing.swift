internal import RecordFormat
internal import TraceFormat
import TraceText

/// The reader of the offline queue's entries.
struct SpoolFuzzing {
    /// The name of every entry's file; inputs that are meant to be read bear it.
    private static let name = "01KGN6Z5BMYWHYSNBAH2ZMGQWN"

    private let bytes: [UInt8]

    init(_ input: [UInt8]) { bytes = input }

    func check() throws {
        guard let name = ULID(Self.name) else { throw Flaw(description: "\(Self.name) is no ULID") }
        let entry: SpoolEntry
        do throws(FormatError) {
            entry = try SpoolEntry(parsing: bytes, named: name)
        } catch {
            return try require(
                !error.message.isEmpty && error.cure?.text != nil, "refused without a reason: \(error)")
        }
        try require(entry.id == name, "an entry of another name")
        try requireRecord(entry)
        let again = try SpoolEntry(parsing: entry.json.bytes, named: name)
        try require(again == entry, "written and read again, the entry is another")
        if let attachment = entry.attachment {
            try require(
                !attachment.name.utf8.contains(0x2F) && !attachment.name.isEmpty && attachment.size >= 0,
                "an attachment that leads out of the spool")
        }
    }

    /// What is to be appended is one line, and a record without an error.
    private func requireRecord(_ entry: SpoolEntry) throws {
        try require(!entry.payload.contains(0x0A), "a payload of several lines")
        // Of another kind of journal only its format can say more.
        guard let kind = entry.kind.recordKind else {
            return try require(
                entry.kind.journal != nil && entry.attachment == nil, "an entry of no kind of journal")
        }
        var records: [RecordSummary] = []
        var findings: [Finding] = []
        let checker = try RecordChecker(kind)
        PaddedBytes.withLine(entry.payload) { line in
            let record = checker.check(line) { findings.append($0) }
            records += record.map { [RecordSummarizer(.of(kind)).summary(of: $0, on: line)] } ?? []
        }
        try require(records.map(\.id) == [entry.id], "the payload is no record of the entry's id")
        try require(
            !findings.contains { $0.severity == .error }, "a payload that breaks the format: \(findings)")
        try require(entry.kind != .voiceNote || entry.mediaPath != nil, "a voice note without a path")
    }
}
