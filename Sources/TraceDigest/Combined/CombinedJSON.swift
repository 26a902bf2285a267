package import RecordFormat
internal import TraceFormat

extension CombinedDigest {
    /// The digest as one JSON object. Lists are always there; other members only if there is a value.
    ///
    /// - Parameter addSession: Adds what else than its id names a session: its directory, if no one else is asked for.
    package func json(
        addSession: (Entry, inout JSONObjectText) -> Void = { $1.member("session_path", JSONText($0.path)) }
    ) -> JSONText {
        .object { object in
            object.member("session_count", JSONText(Int64(sessions.total)))
            object.member("day_count", JSONText(Int64(dayCount)))
            object.member("duration_ms", JSONText(length))
            object.member("counts", countsJSON)
            object.member("days", .array(days.map(\.json)))
            object.member("sessions", .array(sessions.items.map { $0.json(addSession) }))
            object.member(
                "fixes", .array(fixes.items.map { Self.json($0.session, addSession, $0.moment.addMembers) }))
            object.member(
                "actions",
                .array(actions.items.map { Self.json($0.session, addSession, $0.action.addMembers) }))
            object.member(
                "more",
                .object { object in
                    object.member("sessions", JSONText(Int64(sessions.more)))
                    object.member("fixes", JSONText(Int64(fixes.more)))
                    object.member("actions", JSONText(Int64(actions.more)))
                })
        }
    }

    private var countsJSON: JSONText {
        .object { object in
            object.member("markers", JSONText(Int64(markerCount)))
            for category in MarkerCategory.allCases {
                object.member(category.jsonName, JSONText(Int64(categoryCounts[category] ?? 0)))
            }
            object.member("voice_notes", JSONText(Int64(voiceNoteCount)))
            object.member("errors", JSONText(Int64(errorCount)))
            object.member("warnings", JSONText(Int64(warningCount)))
        }
    }

    /// Something of a session, with what names that.
    private static func json(
        _ session: Entry, _ addSession: (Entry, inout JSONObjectText) -> Void,
        _ add: (inout JSONObjectText) -> Void
    ) -> JSONText {
        .object { object in
            addSession(session, &object)
            add(&object)
        }
    }
}

extension CombinedDigest.Day {
    fileprivate var json: JSONText {
        .object { object in
            object.member("date", JSONText(date))
            object.member("session_count", JSONText(Int64(sessionCount)))
            object.member("marker_count", JSONText(Int64(markerCount)))
            object.member("duration_ms", JSONText(length))
        }
    }
}

extension CombinedDigest.Entry {
    fileprivate func json(_ addSession: (Self, inout JSONObjectText) -> Void) -> JSONText {
        .object { object in
            addSession(self, &object)
            digest.addIdentity(to: &object)
            object.member("counts", digest.countsJSON)
            object.member("notable_moments", .array(moments.map(\.json)))
        }
    }
}
