package import RecordFormat

/// What `practice.json` says: the file is ours, beside a document that is the app's.
///
/// Source: practice.md, section 1.
package struct PracticeHeader: Sendable, Equatable {
    package var id: ULID?
    package var title: String?
    /// The IANA name of the zone in which days are counted; nil for that of the configuration.
    package var timeZone: String?
    package var createdAt: Timestamp?
    /// The version of the header's own format.
    package var format: Int64 = PracticeHeader.format

    package static let fileName = "practice.json"
    /// The version that is written.
    package static let format: Int64 = 1
    /// The largest header that is read, in bytes.
    package static let maximumSize: Int64 = 1 << 20

    package init(id: ULID, title: String?, timeZone: String?, createdAt: Timestamp) {
        self.id = id
        self.title = title
        self.timeZone = timeZone
        self.createdAt = createdAt
    }

    private init(_ root: JSONValue) {
        id = root[name: "id"]?.string.flatMap { ULID($0) }
        title = root[name: "title"]?.string
        timeZone = root[name: "time_zone"]?.string
        createdAt = root[name: "created_at"]?.timestamp
        format = root[name: "format"]?.integer ?? Self.format
    }

    /// What a file says, and what is wrong with it; no header if it is not an object.
    ///
    /// - Throws: ``FormatError`` with `.memory`.
    package static func read(
        _ bytes: [UInt8]
    ) throws(FormatError) -> (header: PracticeHeader?, findings: [Finding]) {
        let checker = try RecordChecker(schema: schema)
        var findings: [Finding] = []
        let header = PaddedBytes.withLine(bytes) { line in
            checker.check(line) { findings.append($0) }.map { PracticeHeader($0.root) }
        }
        guard let header, header.format > format else { return (header, findings) }
        // What a newer version writes is not for this one to judge.
        let newer = Finding(
            .journalSchemaNewer, at: Finding.Place(file: fileName),
            "format is \(header.format); this version knows \(format)")
        return (header, [newer])
    }

    private static let schema = RecordSchema(
        .practiceHeader, in: fileName, isDocument: true,
        [
            .required("id", .ulid), .required("journal", .constant("practice")),
            // Any integer that is not negative.
            .required("format", .milliseconds), .optional("title", .string), .optional("time_zone", .string),
            .required("created_at", .timestamp),
        ], columns: RecordColumns())
}
