internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

extension JSONObjectText {
    /// Adds what says which session an answer is about: the same two keys in every answer (docs/cli-json.md).
    ///
    /// - Parameters:
    ///   - path: Nil if the session is not available.
    ///   - id: Nil if it is missing or broken.
    mutating func session(at path: FilePath?, _ id: ULID?) {
        member("session_path", path.map { JSONText($0.escaped) })
        member("session_id", id.map { JSONText($0) })
    }

    /// As ``session(at:_:)``, of a session that was chosen.
    mutating func session(_ target: SessionTarget) { session(at: target.path, target.session.id) }

    /// As ``session(at:_:)``, of one that something was written into, or that it waits for.
    mutating func session(_ target: WriteTarget, isQueued: Bool) {
        session(at: isQueued ? nil : target.place?.path, isQueued ? target.session.id : target.id)
    }
}
