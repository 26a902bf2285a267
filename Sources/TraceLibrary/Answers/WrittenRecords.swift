package import RecordFormat
package import TraceFormat
internal import TraceStore

/// A marker that is in its session, or waits for it.
package struct WrittenMarker {
    private let marker: Marker
    private let target: WriteTarget
    private let isQueued: Bool

    /// The marker, and the session that was chosen for it.
    package init(_ marker: Marker, in target: WriteTarget, isQueued: Bool) {
        self.marker = marker
        self.target = target
        self.isQueued = isQueued
    }

    /// The marker with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(marker.id))
            object.member("offset_ms", JSONText(marker.offset))
            object.session(target, isQueued: isQueued, form)
            object.member("queued", JSONText(isQueued))
        }
    }
}

/// A marker or a voice note of which only the moment is known, and not the session.
package struct KeptRecord {
    private let id: ULID
    private let moment: Timestamp

    /// A record of a moment.
    package init(id: ULID, moment: Timestamp) {
        self.id = id
        self.moment = moment
    }

    /// The record with the keys of docs/cli-json.md.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("queued", JSONText(false))
            object.member("kept", JSONText(true))
            object.member("wall_time", JSONText(moment))
        }
    }
}

/// A voice note that is in its session, or waits for it.
package struct WrittenVoiceNote {
    private let note: VoiceNote
    private let target: WriteTarget
    private let isQueued: Bool

    /// The voice note, and the session that was chosen for it.
    package init(_ note: VoiceNote, in target: WriteTarget, isQueued: Bool) {
        self.note = note
        self.target = target
        self.isQueued = isQueued
    }

    /// The voice note with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(note.id))
            object.member("offset_ms", JSONText(note.offset))
            object.member("media_path", JSONText(note.mediaPath))
            object.session(target, isQueued: isQueued, form)
            object.member("queued", JSONText(isQueued))
        }
    }
}

extension EditedRecord {
    /// The edit of a marker with the keys of docs/cli-json.md.
    package func markerJSON(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("changed", JSONText(editing.isChanged))
            object.session(target, form)
            object.member("marker", JSONText(verbatim: editing.line))
        }
    }

    /// The edit of a voice note with the keys of docs/cli-json.md.
    package func voiceNoteJSON(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.session(target, form)
            object.member("changed", JSONText(editing.isChanged))
            object.member("voice_note", JSONText(verbatim: editing.line))
        }
    }
}

extension RemovedMarker {
    /// The removal with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.session(target, form)
            object.member("unlinked", .array(outcome.unlinked.map { JSONText($0) }))
        }
    }
}
