internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// Checks one file from standard input; rules across files don't apply.
struct StandardInputCheck {
    /// What messages call the file.
    static let name = "standard input"

    private let kind: RecordKind

    init(_ kind: RecordKind) { self.kind = kind }

    /// - Throws: `Errno` if standard input can't be read.
    func findings() throws -> SessionFindings {
        SessionFindings(
            .file(Self.name), JournalLayout.session.sorted(try kind == .session ? header() : lines()))
    }

    private func lines() throws -> [Finding] {
        var findings: [Finding] = []
        let stream = try RecordStream(.of(kind), onRecord: { _ in }, onFinding: { findings.append($0) })
        try StandardInput.readPieces(into: stream.space) { try stream.filled($0.count) }
        try stream.finish()
        return findings
    }

    private func header() throws -> [Finding] {
        let text: [UInt8]
        do {
            text = try StandardInput.all(limit: LineBuffer.maximumLineLength)
        } catch let error as FileError where error.code == .invalidData {
            return [
                Finding(
                    .lineTooLong, at: Finding.Place(file: kind.fileName),
                    "the file is longer than a session.json can be")
            ]
        }
        return try Self.findings(inRecord: text, kind)
    }

    /// What is wrong with one record alone.
    static func findings(inRecord text: [UInt8], _ kind: RecordKind) throws -> [Finding] {
        var findings: [Finding] = []
        let checker = try RecordChecker(kind)
        PaddedBytes.withLine(text) { line in _ = checker.check(line) { findings.append($0) } }
        return findings
    }
}
