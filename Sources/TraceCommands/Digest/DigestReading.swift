internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// Reads out of a session's files what a digest tells.
struct DigestReading {
    let session: FilePath
    let settleTime: Duration

    func digest() throws -> Digest {
        let inspection = try Inspection(of: session, settleTime: settleTime)
        let open = try OpenSession(session)
        return Digest(
            session: inspection.session,
            markers: try open.authoritative(.marker) { Marker($0) }.map(\.value),
            voiceNotes: try open.authoritative(.voiceNote) { VoiceNote($0) }.map(\.value),
            actions: try open.authoritative(.action) { ActionRun($0) }.map(\.value),
            findings: inspection.findings)
    }
}
