internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What a session looks like to people.
enum DigestEndpoints {
    static let all = [digest, writeDigest, generate, practice]

    private static let types = ["application/json", "text/markdown", "text/html"]

    private static let digest = Endpoint(
        method: .get, path: "/sessions/{s}/digest", id: "getDigest", access: .scope(.read),
        summary: "The digest as JSON, Markdown (hand-written if there is one, otherwise rendered) or HTML",
        query: [
            DeclaredParameter(
                name: "rendered", type: .boolean, summary: "Rendered, even if there is a hand-written one")
        ],
        answers: [Outcome(status: 200, summary: "The digest", types: types, schema: .component("Digest"))],
        work: .asking
    ) { call in
        let type = try call.accepted(types)
        let session = try call.session()
        let directory = try OpenDirectory(session.path)
        let written =
            call.flag("rendered") ? nil : try text(in: directory).flatMap { HandwrittenDigest($0) }
        if type == "text/markdown", let written {
            return Response(.ok, "text/markdown; charset=utf-8", written.text).with(
                .eTag, tag(of: written.text))
        }
        var digest = try read(session, listing: type == "text/html" ? Digest.pageLimit : 0, call)
        switch type {
        case "text/html":
            digest.zone = try call.context.zone()
            return page(digest.html(PageMedia(), words: written?.pageWords))
        case "text/markdown":
            digest.zone = try call.context.zone()
            let rendered = Array(digest.markdown().utf8)
            let stands = try text(in: directory) ?? []
            return Response(.ok, "text/markdown; charset=utf-8", rendered).with(.eTag, tag(of: stands))
        default:
            let words = written?.json(for: digest.session)
            return .json(
                digest.json { object in
                    object.member("handle", session.handle)
                    object.member("words", words ?? .null)
                })
        }
    }

    /// What `digest.md` of a session has; nil if there is none.
    private static func text(in session: OpenDirectory) throws -> [UInt8]? {
        try ServedFile.contents(
            of: RecordKind.digestComponent, in: session, limit: SessionWriter.maximumDigestSize)?.contents
    }

    /// What writes `digest.md`, and no file to which a link of that name leads: its text comes from afar, and goes there again.
    private static func writer(_ target: SessionTarget, _ call: Call) -> SessionWriter {
        var writer = call.context.writer().writer(target)
        writer.followsDigestLink = false
        return writer
    }

    /// The digest of a session as it is now.
    static func read(_ session: CalledSession, listing limit: Int, _ call: Call) throws -> Digest {
        try DigestReading(session.path, settleTime: call.context.settings.settleTime).digest(listing: limit) {
            try call.context.library().indexedOverview(of: session.path)
                ?? SessionOverview(
                    Inspection(of: session.path, settleTime: call.context.settings.settleTime))
        }
    }

    /// A page that may style itself, and do nothing else: whatever is in it, it can't run or fetch.
    private static func page(_ html: String) -> Response {
        Response(.ok, "text/html; charset=utf-8", Array(html.utf8)).with(
            .contentSecurityPolicy,
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'")
    }

    /// What names the text in `digest.md`; of none, the empty one.
    private static func tag(of text: [UInt8]) -> String {
        EntityTag(contents: text).description
    }

    private static let writeDigest = Endpoint(
        method: .put, path: "/sessions/{s}/digest", id: "writeDigest", access: .scope(.admin),
        summary: "Replaces digest.md; If-Match names the version to replace",
        fields: [.ifMatch, .ifNoneMatch],
        body: RequestBodyRule(
            types: ["text/markdown"], limit: Int(SessionWriter.maximumDigestSize),
            schema: .inline(#"{"type":"string"}"#)),
        answers: [
            .json(.component("WrittenDigest"), "It is written"),
            .notMatched,
            .conditionMissing,
        ], work: .writing
    ) { call in
        let session = try call.session()
        let target = try session.target()
        let old = try text(in: target.directory)
        guard call.fields.contains(.ifMatch) || call.fields.contains(.ifNoneMatch) else {
            throw Problem.conditionNeeded
        }
        let present = Representation(
            size: Int64(old?.count ?? 0), tag: EntityTag(tag(of: old ?? [])), modified: nil, hasRested: true)
        let condition = ConditionalRequest(call.method, call.fields).answer(
            for: old == nil && call.fields.contains(.ifNoneMatch) ? nil : present,
            now: HTTPDate(milliseconds: call.now.milliseconds))
        guard condition == .whole else {
            throw Problem(
                .preconditionFailed, "changed-meanwhile", "the digest has changed since it was read",
                cure: "read it again, and merge your words into it", fields: [.eTag: tag(of: old ?? [])])
        }
        let isChanged = try writer(target, call).editDigest(from: old, to: call.body)
        call.context.log(
            AccessEvent(
                .digestOverwritten, token: call.visitor.token?.id, tokenName: call.visitor.token?.name,
                address: call.visitor.client, subject: session.handle))
        return .json(WrittenDigest(target, isChanged: isChanged).json(call.form(session.index))).with(
            .eTag, tag(of: call.body))
    }

    private static let generate = Endpoint(
        method: .post, path: "/sessions/{s}/digest/generate", id: "generateDigest", access: .scope(.mark),
        summary: "Brings the generated part of digest.md up to date",
        body: .json(
            .inline(
                #"{"type":"object","properties":{"force":{"type":"boolean"},"adopt":{"type":"boolean"}},"additionalProperties":false}"#
            ), isRequired: false),
        answers: [
            .json(.component("WrittenDigest"), "It is up to date"),
            .problem("Somebody edited that part", status: 409),
        ], work: .writing
    ) { call in
        let session = try call.session()
        let (forces, adopts) =
            call.body.isEmpty
            ? (false, false)
            : try call.object(["force", "adopt"]) { (try $0.truth("force"), try $0.truth("adopt")) }
        guard !(forces || adopts) || call.visitor.scope.allows(.admin) else {
            throw Problem(
                .forbidden, "scope-insufficient", "force and adopt need a token of scope 'admin'",
                cure: "leave them out")
        }
        let target = try session.target()
        let digest = try read(session, listing: 0, call)
        try target.require(digest.session.id)
        let zone = try call.context.zone()
        var generation = DigestGeneration(digest) { noted in try ZoneFiles.rules(named: noted ?? zone.name) }
        let isChanged = try generation.run(writer(target, call), adopts: adopts, forces: forces)
        return .json(WrittenDigest(target, isChanged: isChanged).json(call.form(session.index)))
    }

    private static let practice = Endpoint(
        method: .get, path: "/digest", id: "getPracticeDigest", access: .scope(.read),
        summary: "One digest of the sessions in a period",
        query: Call.momentQuery,
        answers: [
            Outcome(status: 200, summary: "The digest", types: types, schema: .component("PracticeDigest"))
        ], work: .searching
    ) { call in
        let type = try call.accepted(types)
        let library = try call.context.library(watched: call.watched)
        let zone = try call.context.zone()
        let moments = try call.moments() ?? Timestamp(milliseconds: .min)...Timestamp(milliseconds: .max)
        let scope = call.visitor.sessions(of: call.context.roots)
        let (wanted, _, isWatched) = try library.sessions(startedWithin: moments)
        call.freshness.note(isWatched: isWatched)
        let now = call.now
        let handles = SessionHandles(try library.openIndex(), within: scope)
        let sources = try wanted.filter { scope.contains($0) }.map { session in
            CombinedReading.Source(
                session.path, named: try handles.handle(of: session.path, session.id),
                isOnline: session.isOnline,
                forgotten: session.forgotten(now: now, after: call.context.settings.staleAfter))
        }
        let settleTime = call.context.settings.settleTime
        let (digest, failures) = try CombinedReading().digest(of: sources, zone: zone) { path in
            try DigestReading(path, settleTime: settleTime).digest {
                try library.indexedOverview(of: path)
                    ?? SessionOverview(Inspection(of: path, settleTime: settleTime))
            }
        }
        if let failure = failures.first { throw failure }
        switch type {
        case "text/html": return page(digest.html())
        case "text/markdown":
            return Response(.ok, "text/markdown; charset=utf-8", Array(digest.markdown().utf8))
        default: return .json(digest.json { $1.member("handle", $0.path) })
        }
    }
}
