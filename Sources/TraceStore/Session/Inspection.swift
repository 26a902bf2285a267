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
    /// How many records of each kind there are; lines of one id count once.
    public let counts: [RecordKind: Int]

    /// Reads and checks a session; changes nothing.
    ///
    /// - Parameter settleTime: How long a file must have rested before its unfinished last line counts as torn.
    /// - Throws: ``StoreError`` with `.notFound` or `.permissionDenied` for the directory.
    /// - Complexity: O(size of the session's files) in time; in memory, the ids and what refers to others.
    ///
    /// Source: design.md, section 4.
    public init(of path: FilePath, settleTime: Duration = .seconds(2)) throws {
        let session = try OpenSession(path, settleTime: settleTime)
        let header = try session.header()
        let gathered = Gathered(session: header.session)
        gathered.findings = header.findings
        for kind in RecordKind.lines { try gathered.read(kind, from: session) }
        let contents = try session.contents(mediaPaths: gathered.mediaPaths)
        self.path = path
        self.session = header.session
        counts = gathered.ids.mapValues(\.count)
        findings = gathered.finish(contents).sorted()
    }
}

/// What has been read so far.
private final class Gathered {
    var findings: [Finding] = []
    var ids: [RecordKind: Set<ULID>] = [:]
    private var builder: SessionFactsBuilder

    init(session: Session) { builder = SessionFactsBuilder(session: session) }

    var mediaPaths: Set<String> { builder.mediaPaths }

    func read(_ kind: RecordKind, from session: OpenSession) throws {
        _ = try session.read(kind) { record in
            self.builder.add(record)
            if let id = record.id { self.ids[kind, default: []].insert(id) }
        } onFinding: {
            self.findings.append($0)
        }
    }

    func finish(_ contents: SessionFacts.Directory) -> [Finding] {
        findings + builder.finish(directory: contents).findings()
    }
}
