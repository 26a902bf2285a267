package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore

extension QueueItem {
    /// The item with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("state", JSONText(state.name))
            object.member("reason", form.reason(state.reason, state.reasonWithoutPlaces))
            object.member(state.conflicts)
            object.member("place", JSONText(place.rawValue))
            object.member("file", form.place(file))
            object.member("audio", form.place(audio))
            object.member("kind", entry.map { JSONText($0.kind.rawValue) })
            object.journal(of: entry, at: session, form)
            object.member("created_at", entry.map { JSONText($0.createdAt) })
            object.member("device", entry?.device.map { JSONText($0) })
            object.member("payload", entry.map { JSONText(verbatim: $0.payload) })
        }
    }
}

extension DrainOutcome {
    /// The outcome with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("result", JSONText(result.name))
            object.member("reason", form.reason(result.reason, result.reasonWithoutPlaces))
            object.member(result.conflicts)
            object.member("kind", entry.map { JSONText($0.kind.rawValue) })
            object.journal(of: entry, at: session, form)
            object.member("spool", form.place(spool))
        }
    }
}

extension QueueImport.Outcome {
    /// The outcome with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("result", JSONText(result.name))
            object.member("reason", form.reason(result.reason, result.reasonWithoutPlaces))
            object.member("kind", JSONText(kind.rawValue))
            object.member("offset_ms", JSONText(offset))
            object.member("file", JSONText(place.file))
            object.member("line", JSONText(Int64(place.line)))
            object.member("byte_offset", JSONText(Int64(place.byteOffset)))
        }
    }
}

extension DroppedEntry {
    /// The entry with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("file", form.place(file))
        }
    }
}

extension AnswerForm {
    fileprivate func reason(_ whole: String?, _ withoutPlaces: String?) -> JSONText? {
        (showsPaths ? whole : withoutPlaces).map { JSONText($0) }
    }
}
