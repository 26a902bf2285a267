package import RecordFormat
internal import TraceFormat
package import TraceStore

extension CreatedSession {
    /// The session with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(at: path, id, form)
            object.member("media_id", media.map { JSONText($0.id) })
            object.member("media_path", media.map { JSONText($0.path) })
            object.member("duration_ms", duration.map { JSONText($0) })
        }
    }
}

extension ClosedSession {
    /// The end with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(target, form)
            object.member("duration_ms", JSONText(duration))
            object.member(
                "markers_behind_end", markersBehindEnd > 0 ? JSONText(Int64(markersBehindEnd)) : nil)
            object.warning(setBack, form)
        }
    }
}

extension PausedSession {
    /// The pause with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(target, form)
            object.member("offset_ms", JSONText(offset))
            object.warning(setBack, form)
        }
    }
}

extension ResumedSession {
    /// The end of the pause with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(target, form)
            object.member("offset_ms", JSONText(offset))
            object.member("pause_ms", JSONText(pause))
            object.warning(setBack, form)
        }
    }
}

extension ReopenedSession {
    /// The session with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(target, form)
            object.member("offset_ms", JSONText(offset))
            object.member("pause_ms", JSONText(pause))
        }
    }
}

extension RestoredSession {
    /// The session with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in object.session(at: path, id, form) }
    }
}

extension Bin.Item {
    /// The session with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("session_id", session.id.map { JSONText($0) })
            object.member("origin_path", form.place(origin))
            object.member("bin_path", form.place(path))
            object.member("deleted_at", JSONText(deletedAt))
            object.member("title", session.displayTitle.map { JSONText($0) })
        }
    }
}

extension EditedSession {
    /// The session with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(target, form)
            object.member("changed", JSONText(isChanged))
            object.member("title", JSONText(title))
            object.member("start_time", start.map { JSONText($0) })
        }
    }
}

/// The outcome of writing a digest into a session.
package struct WrittenDigest {
    private let target: SessionTarget
    /// Whether it was another one before.
    let isChanged: Bool

    /// The digest of the session that was chosen.
    package init(_ target: SessionTarget, isChanged: Bool) {
        self.target = target
        self.isChanged = isChanged
    }

    /// The outcome with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.session(target, form)
            object.member("changed", JSONText(isChanged))
        }
    }
}

extension JSONObjectText {
    /// What shows that a clock is wrong; a command, whose answers have no handles, says it on standard error.
    fileprivate mutating func warning(_ setBack: ClockSetBack?, _ form: AnswerForm) {
        guard let setBack, form.handle != nil else { return }
        member("warnings", [setBack.textOverHTTP])
    }
}
