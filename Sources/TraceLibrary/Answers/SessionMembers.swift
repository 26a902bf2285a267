package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceIndex
package import TraceStore

extension JSONObjectText {
    /// Adds what says which session an answer is about: the same keys in every answer (docs/cli-json.md).
    ///
    /// - Parameters:
    ///   - path: Nil if the session is not available.
    ///   - id: Nil if it is missing or broken.
    package mutating func session(at path: FilePath?, _ id: ULID?, _ form: AnswerForm = .commandLine) {
        member("session_path", form.place(path))
        if let path, let handle = form.handle { member("handle", handle(path, id)) }
        member("session_id", id.map { JSONText($0) })
    }

    /// Adds what says which session or other journal an entry of the queue is for.
    ///
    /// - Parameters:
    ///   - path: Nil if it is not available.
    ///   - entry: Nil if it can't be read.
    mutating func journal(of entry: SpoolEntry?, at path: FilePath?, _ form: AnswerForm) {
        guard let entry, !entry.kind.isOfSession else {
            return session(at: path, entry?.journalID, form)
        }
        member("journal_path", form.place(path))
        member("journal_id", JSONText(entry.journalID))
    }

    /// As ``session(at:_:_:)``, in an answer that is about the session itself: an id that is missing or broken is null.
    mutating func subject(at path: FilePath, _ id: ULID?, _ form: AnswerForm) {
        session(at: path, id, form)
        if id == nil { member("session_id", .null) }
    }

    /// As ``session(at:_:_:)``, of a session that was chosen.
    package mutating func session(_ target: SessionTarget, _ form: AnswerForm = .commandLine) {
        session(at: target.path, target.session.id, form)
    }

    /// As ``session(at:_:_:)``, of one that something was written into, or that it waits for.
    mutating func session(
        _ target: WriteTarget, isQueued: Bool, _ form: AnswerForm = .commandLine
    ) {
        session(
            at: isQueued ? nil : target.place?.path, isQueued ? target.session.id : target.id, form)
    }
}

extension IndexedSession {
    /// Adds what says which session an answer is about, and what it is called.
    func addIdentity(to object: inout JSONObjectText, _ form: AnswerForm = .commandLine) {
        object.session(at: path, id, form)
        object.member("title", title.map { JSONText($0) })
        object.member("online", JSONText(isOnline))
    }

    /// What a list calls it: its title, else the name of its directory.
    package var listName: String { displayTitle ?? path.lastComponent?.escaped ?? path.escaped }
}

extension JSONObjectText {
    /// Adds what says which journal an answer is about, of whatever kind (docs/cli-json.md).
    ///
    /// - Parameter id: Opaque; nil if it is missing or broken.
    mutating func journal(at path: FilePath, _ id: String?, _ form: AnswerForm) {
        member("id", id.map { JSONText($0) })
        member("path", form.place(path))
        if let handle = form.handle { member("handle", handle(path, id.flatMap { ULID($0) })) }
    }
}
