public import RecordFormat
public import SystemPackage
public import TraceFormat

/// What one reading of a whole session found.
public struct Inspection: Sendable {
    /// The session's directory.
    public let path: FilePath
    /// What `session.json` says.
    public let session: Session
    /// Everything that breaks a rule, in the order of files and places.
    public let findings: [Finding]
    /// The number of records of each kind; lines of one id count once.
    public let counts: [RecordKind: Int]
    /// Which lines of each file count.
    let liveLines: [RecordKind: LiveLines]

    /// Reads and checks a session; changes nothing.
    ///
    /// - Parameter settleTime: How long a file must have rested before its unfinished last line counts as
    ///   torn.
    /// - Throws: ``FileError`` with `.notFound` or `.permissionDenied` for the directory.
    /// - Complexity: O(size of the session's files) in time; in memory, the ids and what refers to others.
    ///
    /// Source: docs/rules.md.
    public init(of path: FilePath, settleTime: Duration = .seconds(2)) throws {
        let session = try SessionReader(path, settleTime: settleTime)
        let header = try session.header()
        var findings = header.findings
        var builder = SessionFactsBuilder(session: header.session)
        for kind in RecordKind.lines {
            try session.check(kind, builder.interest) { segment in
                findings += segment.findings
                builder.add(segment)
            } onFinding: {
                findings.append($0)
            }
        }
        let contents = try session.contents(mediaPaths: builder.mediaPaths)
        self.path = path
        self.session = header.session
        counts = builder.counts
        liveLines = builder.liveLines
        self.findings = JournalLayout.session.sorted(
            findings + builder.finish(directory: contents).findings())
    }
}
