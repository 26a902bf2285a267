internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// Which sessions there are, and what one is.
enum SessionEndpoints {
    static let all = [list, session]

    private static let list = Endpoint(
        method: .get, path: "/sessions", id: "listSessions", access: .scope(.read),
        summary: "The sessions, latest first",
        query: Call.momentQuery + [
            DeclaredParameter(
                name: "status", type: .choice(["active", "closed"]), summary: "Only those with this status"),
            DeclaredParameter(
                name: "tag", type: .text(maxBytes: 200), summary: "Only those with a marker of this tag",
                isRepeated: true),
            DeclaredParameter(name: "problems", type: .boolean, summary: "Only those with findings"),
        ] + Call.pageQuery,
        answers: [
            Outcome(
                status: 200, summary: "The sessions", types: Call.listTypes, schema: .array(of: "SessionRow"))
        ], work: .asking
    ) { call in
        var asked = SessionsQuestion()
        asked.moments = try call.moments()
        asked.tags = call.query["tag"] ?? []
        asked.status = call["status"].flatMap(Session.Status.init(rawValue:))
        asked.hasFindings = call.flag("problems")
        let question = asked
        let isFiltered = call.visitor.token?.filter != nil
        let scope = call.visitor.sessions(of: call.context.roots)
        let staleAfter = call.context.settings.staleAfter
        return try call.listAll(.session(call.context.memory.seal), question.moments) { asked, after, limit in
            var question = question
            question.after = after
            // Of a token that sees some sessions only, a page is as full as of any other.
            question.limit = isFiltered ? nil : limit
            let answer = try question.answer(
                asked.index, in: asked.library, now: call.now, staleAfter: staleAfter)
            var (rows, next) = (answer.rows[...], answer.next)
            if isFiltered {
                let seen = answer.rows.filter { scope.contains($0.session) }
                rows = seen.prefix(limit)
                next = seen.count > limit ? rows.last.map { SessionSortKey($0.session) } : nil
            }
            call.freshness.note(shown: rows.map(\.session.path))
            let form = call.form(asked.index, for: rows.map(\.session))
            return ListPage(rows: rows.map { $0.json(form) }, next: next)
        }
    }

    private static let session = Endpoint(
        method: .get, path: "/sessions/{s}", id: "getSession", access: .scope(.read),
        summary: "A session, its clock and its recordings",
        answers: [.json(.component("SessionDetails"), "The session")], work: .asking,
        caching: .session(types: ["application/json"], isLocated: true)
    ) { call in
        let session = try call.session()
        let reader = try SessionReader(session.path)
        let header = try reader.header().session
        let clock = try? reader.clock(of: header)
        let answer = try call.ask(session) { index in
            try SessionQuestion(session.path, settleTime: call.context.settings.settleTime).answer(index)
        }
        // Who opens a session is about to look at its sound.
        if let path = header.reviewAudio?.path,
            let recording = try? ServedFile.media(
                at: path, below: OpenDirectory(session.path), settleTime: call.context.settings.settleTime)
        {
            recording.waveform(call)
        }
        let base = Endpoint.location(of: session.handle)
        let json = answer.json(call.form(session.index, for: [session.known])) { object in
            object.member("clock", (clock ?? nil).map(Self.json))
            object.member("media", .array(header.media.map { Self.json($0, base) }))
            object.member("review_media_id", (header.reviewAudio?.id).map { JSONText($0) })
        }
        return .json(json).with(.contentLocation, base)
    }

    private static func json(_ clock: SessionClock) -> JSONText {
        .object { object in
            object.member("start_time", clock.start)
            object.member(
                "pauses",
                .array(
                    clock.pauses.map { pause in
                        .object { object in
                            object.member("offset_ms", pause.offset)
                            object.member("length_ms", JSONText(pause.length))
                        }
                    }))
            object.member("paused_at_ms", clock.pausedAt.map { JSONText($0) })
        }
    }

    private static func json(_ item: MediaItem, _ base: String) -> JSONText {
        .object { object in
            object.member("id", item.id.map { JSONText($0) })
            object.member("kind", (item.kind?.rawValue).map { JSONText($0) })
            object.member("path", item.path)
            object.member("mime", item.mime.map { JSONText($0) })
            object.member("start_offset_ms", item.startOffset.map { JSONText($0) })
            object.member("duration_ms", item.duration.map { JSONText($0) })
            object.member("url", item.id.map { JSONText("\(base)/media/\($0)") })
        }
    }
}
