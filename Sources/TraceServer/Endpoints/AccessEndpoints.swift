internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceText

/// Tokens: seen, revoked, and given to a device for a code.
enum AccessEndpoints {
    static let all = [tokens, revoke, login, logout, pair]

    private static let tokens = Endpoint(
        method: .get, path: "/tokens", id: "listTokens", access: .scope(.read),
        summary: "The tokens: all of them with scope 'admin', otherwise the caller's own",
        answers: [.json(.array(of: "Token"), "The tokens, without their secrets")], work: .asking
    ) { call in
        let uses = TokenUses(state: call.context.settings.stateDirectory)
        let all = try AccessTokens(state: call.context.settings.stateDirectory).list().tokens
        let form = AnswerForm(showsPaths: call.visitor.seesPlaces, handle: nil)
        let seen = call.visitor.seesPlaces ? all : all.filter { $0.id == call.visitor.token?.id }
        return .json(
            .array(seen.map { $0.json(uses.last(of: $0.id), now: call.now, form) }))
    }

    private static let revoke = Endpoint(
        method: .delete, path: "/tokens/{id}", id: "revokeToken", access: .scope(.read),
        summary: "Revokes a token at once; a token may always revoke itself",
        answers: [Outcome(status: 204, summary: "It is no longer valid")], work: .writing
    ) { call in
        let id = try call.id("id")
        guard id == call.visitor.token?.id || call.visitor.seesPlaces else { throw Problem.notFound }
        try revoke(id, call)
        return .noContent
    }

    private static let login = Endpoint(
        method: .post, path: "/login", id: "logIn", access: .scope(.read),
        summary: "Has the browser keep the caller's token in a cookie, and renews it there",
        answers: [
            Outcome(status: 204, summary: "Done"),
            .problem("There is no token to keep, as by a Unix socket", status: 422),
        ], work: .asking
    ) { call in
        let cookie = AccessCookie(isSecure: call.visitor.isSecure)
        let token = try Authorization.presented(in: call.fields, cookie: cookie)?.token
        guard let setting = token.flatMap(cookie.setting) else {
            throw Problem(
                .unprocessableContent, "token-needed", "no token was sent",
                cure: "send one, or none is needed")
        }
        return Response.noContent.with(.setCookie, setting)
    }

    private static let logout = Endpoint(
        method: .post, path: "/logout", id: "logOut", access: .scope(.read),
        summary: "Revokes the caller's token, and clears the browser's cookie",
        answers: [Outcome(status: 204, summary: "Done")], work: .writing
    ) { call in
        if let id = call.visitor.token?.id { try revoke(id, call) }
        return Response.noContent.with(.setCookie, AccessCookie(isSecure: call.visitor.isSecure).forgetting)
            .with(
                .clearSiteData, "\"cache\"")
    }

    private static func revoke(_ id: ULID, _ call: Call) throws {
        try AccessTokens(state: call.context.settings.stateDirectory).revoke(id)
        call.context.log(
            AccessEvent(
                .tokenRevoked, token: id, tokenName: call.visitor.token?.name, address: call.visitor.client))
    }

    private static let schema =
        #"{"type":"object","properties":{"code":{"type":"string"},"name":{"type":"string"}},"required":["code"],"additionalProperties":false}"#

    private static let pair = Endpoint(
        method: .post, path: "/pair", id: "pair", access: .anyone,
        summary: "Exchanges a code of 'trace pair' for a token, as a cookie and in the answer",
        // Nobody who sends it has shown a token.
        body: .json(.inline(schema), limit: 4 << 10),
        answers: [
            .json(.component("PairedToken"), "The token, shown only this once", status: 201),
            .problem("The code is wrong, used or expired", status: 403),
            .problem("Too many wrong codes", status: 429),
        ], work: .writing
    ) { call in
        let (code, name) = try call.object(["code", "name"]) { body in
            guard let code = try body.text("code") else { throw Problem.member("code", "a string") }
            return (code, try body.text("name"))
        }
        let codes = PairingCodes(state: call.context.settings.stateDirectory)
        try call.context.memory.guesses.require(call.visitor.client)
        let paired: (token: AccessToken, secret: TokenSecret)
        do { paired = try codes.redeem(PairingCode(parsing: code.utf8), name: name, at: call.now) } catch let
            error
            as AccessError where [.pairingCodeRefused, .pairingCodeMalformed].contains(error.code)
        {
            if call.context.memory.guesses.noteWrong() { _ = try codes.endAll() }
            throw Problem(
                .forbidden, "pairing-code-refused", "the code is wrong, used or expired",
                cure: "on the server, \(verb: "pair") makes another")
        }
        call.context.memory.guesses.noteRight()
        call.context.log(
            AccessEvent(
                .paired, token: paired.token.id, tokenName: paired.token.name, address: call.visitor.client))
        let cookie = AccessCookie(isSecure: call.visitor.isSecure).setting(paired.secret.text)
        return Response.json(
            .object { object in
                object.member("token", paired.secret.text)
                object.member("id", JSONText(paired.token.id))
                object.member("name", paired.token.name)
                object.member("scope", paired.token.scope.rawValue)
            }, .created
        ).with(.setCookie, cookie)
    }
}
