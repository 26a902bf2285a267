internal import RecordFormat
internal import TraceFormat

/// Checks a session as it will be once a plan is carried out.
struct PlannedCheck {
    let session: SessionReader
    /// `session.json` as it is to be; nil if it can't be read.
    let header: [UInt8]?
    /// The record files that are to change.
    let planned: [RecordKind: [UInt8]]
    /// The copies that are to go.
    var settledCopies: Set<String> = []

    init(session: SessionReader, header: [UInt8]?, planned: [RecordKind: [UInt8]]) {
        self.session = session
        self.header = header
        self.planned = planned
    }

    /// The id that `session.json` gives.
    private(set) var id: ULID?

    /// Everything that still breaks a rule.
    mutating func findings() throws -> [Finding] {
        let collected = Collected()
        let said = try plannedSession(collected)
        id = said.id
        collected.builder = SessionFactsBuilder(session: said)
        for kind in RecordKind.lines {
            if let bytes = planned[kind] {
                try RecordStream.read(bytes, as: kind) {
                    collected.builder.add($0)
                } onFinding: {
                    collected.findings.append($0)
                }
            } else {
                _ = try session.read(kind) {
                    collected.builder.add($0)
                } onFinding: {
                    collected.findings.append($0)
                }
            }
        }
        var contents = try session.contents(mediaPaths: collected.builder.mediaPaths)
        contents.files.formUnion(planned.keys.map(\.fileName))
        contents.conflictCopies.removeAll { settledCopies.contains($0) }
        return JournalLayout.session.sorted(
            collected.findings + collected.builder.finish(directory: contents).findings())
    }

    private func plannedSession(_ collected: Collected) throws -> Session {
        guard let header else {
            let found = try session.header()
            collected.findings += found.findings
            return found.session
        }
        let checker = try RecordChecker(.session)
        return PaddedBytes.withLine(header) { line in
            checker.check(line) { collected.findings.append($0) }.map { Session($0) }
        } ?? Session()
    }

    /// What has been read so far; a class, since closures that outlive the call fill it.
    private final class Collected {
        var findings: [Finding] = []
        var builder = SessionFactsBuilder(session: Session())
    }
}

/// What the timeline says of the session's time.
struct PlannedTimeline {
    /// The offsets of the `session_end` entries that count, in file order.
    let ends: [SessionOffset]
    /// Whether there is a `session_end` that counts, wherever it stands.
    let hasEnd: Bool
    /// The pauses that are over.
    let pauses: [SessionClock.Pause]

    /// - Parameter planned: The file as it is to be; nil if it stays as it is.
    init(_ planned: [UInt8]?, or session: SessionReader) throws {
        let collected = Collected()
        if let planned {
            try RecordStream.read(planned, as: .timeline) {
                collected.entries.append($0)
            } onFinding: { _ in
            }
        } else {
            _ = try session.read(.timeline) {
                collected.entries.append($0)
            } onFinding: { _ in
            }
        }
        var last: [ULID: Int] = [:]
        for entry in collected.entries { if let id = entry.id { last[id] = entry.line } }
        let found = collected.entries.filter { entry in
            entry.detail == TimelineEntry.Kind.sessionEnd.rawValue
                && (entry.id.map { last[$0] == entry.line } ?? true)
        }
        hasEnd = !found.isEmpty
        ends = found.compactMap(\.offset)
        pauses = PauseReader(collected.entries).pauses
    }

    private final class Collected {
        var entries: [RecordSummary] = []
    }
}

extension RecordStream {
    /// Reads a file of records that is in memory.
    fileprivate static func read(
        _ bytes: [UInt8], as kind: RecordKind, onRecord: @escaping (RecordSummary) throws -> Void,
        onFinding: @escaping (Finding) throws -> Void
    ) throws {
        let stream = try RecordStream(.of(kind), onRecord: onRecord, onFinding: onFinding)
        var rest = bytes[...]
        while !rest.isEmpty {
            let space = stream.space()
            let piece = rest.prefix(space.count)
            space.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            try stream.filled(piece.count)
        }
        try stream.finish()
    }
}
