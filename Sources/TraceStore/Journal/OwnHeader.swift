package import RecordFormat
internal import TraceFiles
internal import TraceText

// A header that is a file of this product's own, beside whatever else is in the journal: `{"journal":"KIND","format":1,"id":…}`.

extension RecordSchema {
    /// What such a file says.
    ///
    /// - Parameters:
    ///   - kind: A number that no record of the kind of journal has; a header is not among the records of the index.
    ///   - journal: The name of the kind of journal.
    package static func header(
        _ kind: EntryKind, of journal: ConstantText, in fileName: String
    ) -> RecordSchema {
        RecordSchema(
            kind, in: fileName, isDocument: true,
            [
                .required("id", .ulid), .required("journal", .constant(journal)),
                // Any integer that is not negative.
                .required("format", .milliseconds), .optional("title", .string),
                .optional("time_zone", .string), .required("created_at", .timestamp),
            ], columns: RecordColumns())
    }
}

extension JournalHeader {
    /// The largest file that is read, in bytes.
    private static let maximumSize: Int64 = 1 << 20

    /// What such a file says of a journal whose offsets count from 1970; what is wrong with it is among the findings.
    ///
    /// - Parameters:
    ///   - schema: ``RecordSchema/header(_:of:in:)``.
    ///   - format: The version that is written: of a later one no more is said than that it is one.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(of snapshot: JournalSnapshot, as schema: RecordSchema, format: Int64 = 1) throws {
        self.init()
        epoch = Timestamp(milliseconds: 0)
        let place = Finding.Place(file: schema.fileName)
        do {
            guard let file = try snapshot.readFile(.header, limit: Self.maximumSize) else {
                findings = [Finding(.fileMissing, at: place, "the file does not exist")]
                return
            }
            identity = file.identity
            let checker = try RecordChecker(schema: schema)
            PaddedBytes.withLine(file.contents) { line in
                guard let root = checker.check(line, report: { findings.append($0) })?.root else { return }
                id = root[name: "id"]?.string.flatMap { ULID($0) }?.description
                title = root[name: "title"]?.string
                timeZone = root[name: "time_zone"]?.string
                guard let written = root[name: "format"]?.integer, written > format else { return }
                state = .newer
                // What a newer version writes is not for this one to judge.
                let message = "format is \(written); this version knows \(format)"
                findings = [Finding(.journalSchemaNewer, at: place, message)]
            }
        } catch let error as FileError {
            findings = [Finding(.fileUnreadable, at: place, error.message)]
        }
    }
}

extension JournalCreation.Header {
    /// The file, with a member on each line.
    package func text(of journal: JournalKind, format: Int64 = 1) -> [UInt8] {
        let members: [(String, JSONText?)] = [
            ("journal", JSONText(journal.name)), ("format", JSONText(format)), ("id", JSONText(id)),
            ("title", title.map { JSONText($0) }), ("time_zone", timeZone.map { JSONText($0) }),
            ("created_at", JSONText(createdAt)),
        ]
        let lines = members.compactMap { name, value in
            value.map { "  \"\(name)\": \(String(decoding: $0.bytes, as: UTF8.self))" }
        }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }
}
