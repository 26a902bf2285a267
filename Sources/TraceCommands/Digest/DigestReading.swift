internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// Reads out of a session's files what a digest tells.
struct DigestReading {
    let session: FilePath
    let settleTime: Duration

    func digest() throws -> Digest {
        let inspection = try Inspection(of: session, settleTime: settleTime)
        return Digest(
            session: inspection.session,
            markers: try authoritative(.marker) { Marker($0) },
            voiceNotes: try authoritative(.voiceNote) { VoiceNote($0) },
            actions: try authoritative(.action) { ActionRun($0) }, findings: inspection.findings)
    }

    /// The records of a kind, the last line of each id, in the order of the file.
    private func authoritative<Value>(_ kind: RecordKind, _ decode: (RecordChecker.Record) -> Value?) throws
        -> [Value]
    {
        var places: [ULID: RecordSummary] = [:]
        let open = try OpenSession(session)
        _ = try open.read(kind) { record in
            if let id = record.id { places[id] = record }
        } onFinding: { _ in
        }
        let checker = try RecordChecker(kind)
        return try places.values.sorted { $0.byteOffset < $1.byteOffset }.compactMap { place in
            let line = try open.directory.slice(
                of: kind.component, at: place.byteOffset, count: place.byteLength)
            return PaddedBytes.withLine(line) { checker.check($0) { _ in }.flatMap(decode) }
        }
    }
}
