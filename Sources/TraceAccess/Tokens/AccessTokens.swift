internal import TraceStore
package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceText

/// The tokens of a state directory: a file each, `access/<ULID>.json`.
///
/// A token is added by a rename and revoked by a removal, so it is there whole or not at all, and a change of any of them changes the
/// directory: ``TokenTable`` notices it without being told.
package struct AccessTokens: Sendable {
    private let directory: AccessDirectory
    private let state: FilePath

    /// The tokens of a state directory, which need not exist yet.
    package init(state: FilePath, failPoint: FailPoint? = nil) {
        self.state = state
        directory = AccessDirectory(AccessDirectory.tokens(in: state), failPoint: failPoint)
    }

    /// All of them.
    ///
    /// - Throws: ``FileError`` if the directory can't be listed; ``AccessError`` with `.accessExposed` if everybody may write in it.
    package func list() throws -> AccessTokenList {
        guard let directory = try directory.opened() else { return AccessTokenList() }
        return try AccessTokenList(in: directory)
    }

    /// Adds a token.
    ///
    /// - Parameter expiresAt: Nil if it lasts until it is revoked.
    /// - Returns: The token, and its secret, which is nowhere else.
    /// - Throws: ``FileError``; then there is no new token. `.invalidData` for names that ``AccessGrant/isName(_:)`` refuses.
    /// - Note: Durable on return. Killed in between, the token is there, whole, or not; a temporary file goes with the next
    ///   addition.
    package func add(
        _ grant: AccessGrant, expiresAt: Timestamp? = nil, at now: Timestamp = Clock.now()
    ) throws -> (token: AccessToken, secret: TokenSecret) {
        try grant.requireNames()
        let secret = TokenSecret()
        let token = AccessToken(
            IDGenerator.next(), grant, createdAt: now, expiresAt: expiresAt, sha256: secret.sha256)
        let name = try token.id.accessFileName
        let directory = try directory.made()
        do {
            try directory.replaceFile(name, with: token.fileText, expecting: nil)
        } catch {
            // Where the last step failed it is there, with a secret that nobody will learn.
            try? directory.unlink(name)
            throw error
        }
        return (token, secret)
    }

    /// Revokes a token: from then on its secret lets nobody in.
    ///
    /// - Parameter id: That of a file that can't be read, too.
    /// - Throws: ``FileError``; ``AccessError`` with `.noSuchToken`.
    /// - Note: Durable on return. Killed in between, the token is there or not.
    package func revoke(_ id: ULID) throws {
        guard let directory = try directory.opened(), try directory.take(id.accessFileName) else {
            throw Self.none("there is no token \(id)")
        }
        TokenUses(state: state).forget(id)
    }

    /// Gives a token another name. Every other byte of its file stays as it is, unknown keys too.
    ///
    /// - Returns: The token as it is now.
    /// - Throws: ``AccessError`` with `.noSuchToken`, `.tokenDamaged`; ``FileError``, with `.changedMeanwhile`, or with `.invalidData` for a name
    ///   that ``AccessGrant/isName(_:)`` refuses.
    /// - Note: Durable on return. Killed in between, it has the old name or the new one.
    package func rename(_ id: ULID, to name: String) throws -> AccessToken {
        guard let directory = try directory.opened(),
            let (old, file) = try AccessTokenList.read(id, in: directory)
        else { throw Self.none("there is no token \(id)") }
        var token = old
        token.grant.name = name
        try token.grant.requireNames()
        var editor = try JSONObjectEditor(file.contents)
        try editor.set("name", to: JSONText(name))
        try directory.replaceFile(id.accessFileName, with: editor.bytes, expecting: file.identity)
        return token
    }

    /// The token whose secret this is, expired or not; nil if there is none.
    ///
    /// - Throws: As ``list()``.
    /// - Complexity: Reads every file; ``TokenTable`` does not.
    package func token(with secret: TokenSecret) throws -> AccessToken? {
        let hash = secret.sha256
        return try list().tokens.first { $0.sha256 == hash }
    }

    fileprivate static func none(_ message: String) -> AccessError {
        AccessError(
            .noSuchToken, message,
            cure: [
                "\(verb: "token list") lists the tokens", "\(route: "GET /api/v1/tokens") lists the tokens",
            ])
    }
}

// MARK: - Naming one

extension AccessTokens {
    /// A token that was named, or a file that can't be read.
    package struct Named: Sendable {
        /// Its id.
        package let id: ULID
        /// What it is called; nil for a file that can't be read.
        package let name: String?
    }

    /// The characters of an id that are enough to name a token, if no other id begins or ends with them.
    private static let leastOfID = 4

    /// The token that a person means: by its id, else its name, else four or more characters of the beginning or the end of its id.
    ///
    /// - Throws: ``AccessError`` with `.noSuchToken`, or `.ambiguousToken`, which lists those that could be meant; as ``list()``.
    package func find(_ words: String) throws -> Named {
        let list = try list()
        let all =
            (list.tokens.map { Named(id: $0.id, name: $0.name) }
            + list.damaged.map { Named(id: $0.id, name: nil) }).sorted { $0.id < $1.id }
        if let id = ULID(words.uppercased()), let found = all.first(where: { $0.id == id }) { return found }
        var found = all.filter { $0.name == words }
        if found.isEmpty, words.utf8.count >= Self.leastOfID {
            let part = words.uppercased()
            found = all.filter { $0.id.description.hasPrefix(part) || $0.id.description.hasSuffix(part) }
        }
        guard let first = found.first else { throw Self.none("no token is named '\(words)'") }
        guard found.count == 1 else {
            let names = found.map { "\($0.id)\($0.name.map { " (\($0))" } ?? "")" }.joined(separator: ", ")
            throw AccessError(
                .ambiguousToken, "\(found.count) tokens are named '\(words)': \(names)",
                cure: "name it by its whole id")
        }
        return first
    }
}

// MARK: - Names

extension AccessTokens {
    /// The tokens with a name that let somebody in; an expired one has it no more.
    ///
    /// - Throws: As ``list()``.
    package func tokens(named name: String, at now: Timestamp = Clock.now()) throws -> [AccessToken] {
        try current(at: now).filter { $0.name == name }
    }

    private func current(at now: Timestamp) throws -> [AccessToken] {
        try list().tokens.filter { !$0.isExpired(at: now) }
    }

    /// Refuses a name that two tokens would have.
    ///
    /// - Parameters:
    ///   - id: The token that is to have it, which may have it already; nil for a new one.
    ///   - cure: What can be done about it.
    /// - Throws: ``AccessError`` with `.tokenNameTaken`; as ``list()``.
    package func requireUnused(_ name: String, except id: ULID? = nil, cure: Cure) throws {
        guard let other = try tokens(named: name).first(where: { $0.id != id }) else { return }
        throw AccessError(
            .tokenNameTaken, "a token is named '\(name)' already: \(other.id)", cure: cure)
    }

    /// A name that no token has: this one, or else with a number behind it.
    func unusedName(like name: String, at now: Timestamp) throws -> String {
        let taken = Set(try current(at: now).map(\.name))
        var candidate = name
        var number = 2
        while taken.contains(candidate) {
            var start = Substring(name)
            while start.utf8.count + " \(number)".utf8.count > AccessGrant.longestName { start.removeLast() }
            candidate = "\(start) \(number)"
            number += 1
        }
        return candidate
    }
}
