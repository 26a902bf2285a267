package import RecordFormat
internal import TraceFormat

extension Digest {
    /// The digest as one JSON object. Lists are always there; other members only if there is a value.
    ///
    /// | member | value |
    /// |---|---|
    /// | `session_id`, `title`, `status`, `start_time` | as in `session.json` |
    /// | `length_ms` | how long the session is, or has been so far |
    /// | `counts` | `markers`, `highlight`, `structure`, `texture_sample`, `fix_review`, `voice_notes`, `actions`, `errors`, `warnings`: all that there are, not only those listed |
    /// | `timeline` | `cell_count`, and in `counts` how many points lie in each of as many equal pieces of the session |
    /// | `notable_moments`, `fixes` | `id`, `offset_ms`, `duration_ms`, `label`, `note`, `tags`, `voice_note_id` |
    /// | `voice_notes` | `id`, `offset_ms`, `duration_ms`, `transcript_text` |
    /// | `actions` | `id`, `action`, `created_at`, `status`, `error` |
    /// | `problems` | `severity`, `rule`, `file`, `line`, `byte_offset`, `message` |
    /// | `more` | how many `notable_moments`, `fixes`, `voice_notes`, `actions` and `problems` are left out |
    ///
    /// The lists have the same entries in the same order as the other renderings. Texts are whole and as their users
    /// wrote them.
    ///
    /// - Parameter addSession: Adds what else than its id names the session.
    package func json(addSession: (inout JSONObjectText) -> Void = { _ in }) -> JSONText {
        .object { object in
            addSession(&object)
            addIdentity(to: &object)
            object.member("counts", countsJSON)
            object.member("timeline", strip?.json)
            object.member("notable_moments", .array(notable.items.map(\.json)))
            object.member("fixes", .array(fixes.items.map(\.json)))
            object.member("voice_notes", .array(voiceNotes.items.map(\.digestJSON)))
            object.member("actions", .array(actions.items.map(\.digestJSON)))
            object.member("problems", .array(problems.items.map(\.digestJSON)))
            object.member("more", moreJSON)
        }
    }

    /// Adds what says which session it is.
    func addIdentity(to object: inout JSONObjectText) {
        object.member("session_id", session.id.map { JSONText($0) })
        object.member("title", session.title.map { JSONText($0) })
        object.member("status", session.status.map { JSONText($0.rawValue) })
        object.member("start_time", session.startTime.map { JSONText($0) })
        object.member("duration_ms", length.map { JSONText($0) })
    }

    var countsJSON: JSONText {
        .object { object in
            object.member("markers", JSONText(Int64(markerCount)))
            for category in MarkerCategory.allCases {
                object.member(category.jsonName, JSONText(Int64(categoryCounts[category] ?? 0)))
            }
            object.member("voice_notes", JSONText(Int64(voiceNotes.total)))
            object.member("actions", JSONText(Int64(actions.total)))
            object.member("errors", JSONText(Int64(errorCount)))
            object.member("warnings", JSONText(Int64(problems.total - errorCount)))
        }
    }

    private var moreJSON: JSONText {
        .object { object in
            object.member("notable_moments", JSONText(Int64(notable.more)))
            object.member("fixes", JSONText(Int64(fixes.more)))
            object.member("voice_notes", JSONText(Int64(voiceNotes.more)))
            object.member("actions", JSONText(Int64(actions.more)))
            object.member("problems", JSONText(Int64(problems.more)))
        }
    }
}

extension MarkerCategory {
    var jsonName: String { String(rawValue.map { $0 == "-" ? "_" : $0 }) }
}

extension TimelineStrip {
    fileprivate var json: JSONText {
        .object { object in
            object.member("cell_count", JSONText(Int64(cells.count)))
            object.member("counts", .array(cells.map { JSONText(Int64($0.count)) }))
        }
    }
}

extension Moment {
    var json: JSONText { .object(addMembers) }

    func addMembers(to object: inout JSONObjectText) {
        object.member("id", JSONText(marker.id))
        object.member("offset_ms", JSONText(marker.offset))
        object.member("duration_ms", marker.duration.map { JSONText($0) })
        object.member("label", marker.label.map { JSONText($0) })
        object.member("note", marker.note.map { JSONText($0) })
        object.member("tags", .array(marker.tags.map { JSONText($0) }))
        object.member("voice_note_id", voiceNote.map { JSONText($0) })
    }
}

extension VoiceNote {
    fileprivate var digestJSON: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("offset_ms", JSONText(offset))
            object.member("duration_ms", JSONText(duration))
            object.member("transcript_text", transcript.map { JSONText($0) })
        }
    }
}

extension ActionRun {
    fileprivate var digestJSON: JSONText { .object(addMembers) }

    func addMembers(to object: inout JSONObjectText) {
        object.member("id", JSONText(id))
        object.member("action", JSONText(action))
        object.member("created_at", createdAt.map { JSONText($0) })
        object.member("status", JSONText(status.rawValue))
        object.member("error", error.map { JSONText($0) })
    }
}

extension Finding {
    fileprivate var digestJSON: JSONText {
        .object { object in
            object.member("severity", JSONText(severity.rawValue))
            object.member("rule", JSONText(rule.id))
            object.member("file", JSONText(place.file))
            object.member("line", JSONText(Int64(place.line)))
            object.member("byte_offset", JSONText(Int64(place.byteOffset)))
            object.member("message", JSONText(message))
        }
    }
}
