internal import TraceStore
internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// The files of a session as they are.
enum FileEndpoints {
    static let all = [file, media, link]

    /// A session's directory as a tree of addresses, for programs that know its files (docs/spec/README.md#from-files-to-http).
    private static let file = Endpoint(
        method: .get, path: "/sessions/{s}/files/{name...}", id: "getSessionFile", access: .scope(.read),
        summary: "A file of the session, byte for byte", fields: [.range, .ifRange, .ifMatch], answers: bytes,
        work: .asking
    ) { call in
        let session = try call.session()
        let components = call.rest.compactMap { FilePath.Component(bytes: $0.bytes) }
        guard components.count == call.rest.count, let first = components.first, isServed(components) else {
            throw Problem.notFound
        }
        let file = try ServedFile(
            components, below: try OpenDirectory(session.path), settleTime: call.context.settings.settleTime)
        let type =
            components.count == 1
            ? MediaType.ofSessionFile(named: first.bytes) : MediaType.ofRecording(named: file.name.bytes)
        return file.answer(to: call, as: type)
    }

    /// Which files there are: those of the format, and what lies in `media/`.
    private static func isServed(_ path: [FilePath.Component]) -> Bool {
        // No file system has longer names, and to ask it would be an error of another kind than that there is none.
        guard let first = path.first, path.allSatisfy({ $0.bytes.count <= 255 }) else { return false }
        if path.count > 1 { return first == "media" }
        return RecordKind.allCases.contains { $0.component == first } || first.string == SessionLayout.digest
    }

    private static let media = Endpoint(
        method: .get, path: "/sessions/{s}/media/{m}", id: "getMedia", access: .scopeOrLink(.read),
        summary: "A recording of the session, by the id of its media item",
        query: MediaLink.names.map { name in
            DeclaredParameter(
                name: name, type: .text(maxBytes: 64), summary: "Part of a link, instead of a token")
        },
        fields: [.range, .ifRange, .ifMatch], answers: bytes, work: .asking
    ) { call in
        let file = try recording(call)
        return file.answer(to: call, as: .ofRecording(named: file.name.bytes))
    }

    /// The recording that `{s}` and `{m}` name.
    ///
    /// - Throws: ``Problem`` with 404, also where it is not a file of the session; ``FileError``.
    static func recording(_ call: Call) throws -> ServedFile {
        let session = try call.session()
        let id = try call.id("m")
        let directory = try OpenDirectory(session.path)
        guard let written = try session.media.path(of: id, in: directory) else {
            throw Problem.noMedia
        }
        let file = try ServedFile.media(
            at: written, below: directory, settleTime: call.context.settings.settleTime)
        guard let file else {
            throw Problem(
                .notFound, "leaves-session", "the item's path does not lead to a file of the session")
        }
        return file
    }

    private static let link = Endpoint(
        method: .post, path: "/sessions/{s}/media/{m}/link", id: "createMediaLink", access: .scope(.read),
        summary: "Makes a link to a recording for a player, which needs no token for 12 hours",
        answers: [
            .json(
                .component("MediaLink"), "The link, whole if 'http_public_url' is set, else from the host on"),
            .problem("There is no token to make it with, as by a Unix socket", status: 422),
        ], work: .writing
    ) { call in
        let session = try call.session()
        let id = try call.id("m")
        guard try session.media.path(of: id, in: OpenDirectory(session.path)) != nil else {
            throw Problem.noMedia
        }
        guard let token = call.visitor.token else {
            throw Problem(
                .unprocessableContent, "token-needed", "a link lives as long as the token it is made with",
                cure: "ask with a token")
        }
        let end = call.now.milliseconds / 1000 + MediaLink.lifetime
        let expiry = token.expiresAt.map { min($0.milliseconds / 1000, end) } ?? end
        let link = MediaLink(
            path: "\(Endpoint.location(of: session.handle))/media/\(id)", token: token.id, expiry: expiry)
        let settings = call.context.settings
        let target = try link.target(signedBy: LinkKey(state: settings.stateDirectory))
        return .json(
            .object { object in
                object.member("url", (settings.httpPublicURL ?? "") + target)
                object.member("expires", Timestamp(milliseconds: expiry * 1000))
            }
        ).with(.cacheControl, "no-store")
    }

    /// How a file is answered with.
    static let bytes = [
        Outcome(status: 200, summary: "The whole file", types: ["*/*"]),
        Outcome(status: 206, summary: "The range that was asked for", types: ["*/*"]),
        Outcome(status: 304, summary: "The client's copy is current"),
        .notMatched,
        .problem("The range is not in the file", status: 416),
    ]
}

extension Problem {
    fileprivate static let noMedia = Problem(
        .notFound, "no-such-media", "the session has no media item with that id",
        cure: "GET /api/v1/sessions/{s} lists them")
}

extension Call {
    /// The address of this server as the client is to call it, without a slash at its end: `http_public_url`, or the one it has called.
    var publicAddress: String {
        context.settings.httpPublicURL ?? "\(visitor.isSecure ? "https" : "http")://\(host)"
    }
}
