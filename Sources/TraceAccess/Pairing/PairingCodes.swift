internal import TraceStore
package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceText

/// The pairings that wait for their codes: a file each, `access/pairing/<ULID>.json`, with hashes of the codes.
///
/// A code is good for one use: its file is removed, durably, before the token is added. Of several devices at once one removes it; after a
/// kill in between, the code is used up and there is no token. Expired pairings, and files that are none, are removed whenever the
/// directory is read. Wrong codes are counted by the caller, who calls ``endAll()`` after the fifth.
package struct PairingCodes: Sendable {
    private let directory: AccessDirectory
    private let tokens: AccessTokens
    private let parent: AccessDirectory

    /// The pairings of a state directory, which need not exist yet.
    package init(state: FilePath, failPoint: FailPoint? = nil) {
        let path = AccessDirectory.tokens(in: state)
        parent = AccessDirectory(path, failPoint: failPoint)
        directory = AccessDirectory(path.appending("pairing"), failPoint: failPoint)
        tokens = AccessTokens(state: state, failPoint: failPoint)
    }

    /// A pairing that was begun, and its codes, which are nowhere else.
    package struct Begun: Sendable {
        /// The pairing.
        package let pairing: Pairing
        /// For a person to type.
        package let code: PairingCode
        /// For a QR code to carry.
        package let secret: PairingCode
    }

    /// Begins a pairing.
    ///
    /// - Parameter grant: What the token will be good for; an empty name lets the device name itself.
    /// - Throws: ``FileError``; then there is none. `.invalidData` for names that ``AccessGrant/isName(_:)`` refuses.
    /// - Note: Durable on return. Killed in between, it waits, whole, or there is none.
    package func begin(_ grant: AccessGrant, at now: Timestamp = Clock.now()) throws -> Begun {
        try Self.named(grant, or: nil).requireNames()
        let begun = (code: PairingCode.short(), secret: PairingCode.long())
        let pairing = Pairing(grant, codes: [begun.code, begun.secret], at: now)
        let name = try pairing.id.accessFileName
        _ = try parent.made()
        let directory = try directory.made()
        _ = try waiting(in: directory, at: now)
        do {
            try directory.replaceFile(name, with: pairing.fileText, expecting: nil)
        } catch {
            try? directory.unlink(name)
            throw error
        }
        return Begun(pairing: pairing, code: begun.code, secret: begun.secret)
    }

    /// Gives a device its token for a code.
    ///
    /// - Parameter name: What the device calls itself, for a pairing without a name. A number is put behind a name that a token has.
    /// - Throws: ``AccessError`` with `.pairingCodeRefused` for a code that is wrong, used or expired. After any other error the code may
    ///   be used up; there is no token then.
    /// - Note: Durable on return. Killed in between, the code is good still, or it is used up and the token there, whole, or not.
    package func redeem(
        _ code: PairingCode, name: String? = nil, at now: Timestamp = Clock.now()
    ) throws -> (token: AccessToken, secret: TokenSecret) {
        let hash = code.sha256
        guard let directory = try directory.opened() else { throw Self.refused }
        let waiting = try waiting(in: directory, at: now)
        guard let pairing = waiting.live.first(where: { $0.hashes.contains(hash) }) else {
            throw waiting.problem ?? Self.refused
        }
        var grant = Self.named(pairing.grant, or: name)
        try grant.requireNames()
        grant.name = try tokens.unusedName(like: grant.name, at: now)
        // The one that removes it has won.
        guard try directory.take(pairing.id.accessFileName) else { throw Self.refused }
        return try tokens.add(grant, at: now)
    }

    /// The pairings that wait, in the order of their making.
    ///
    /// - Throws: ``FileError``.
    package func live(at now: Timestamp = Clock.now()) throws -> [Pairing] {
        guard let directory = try directory.opened() else { return [] }
        let waiting = try waiting(in: directory, at: now)
        if let problem = waiting.problem { throw problem }
        return waiting.live
    }

    /// Ends all pairings that wait, since somebody guesses at their codes.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    @discardableResult
    package func endAll() throws -> Int {
        guard let directory = try directory.opened() else { return 0 }
        return try directory.remove(directory.accessIDs().map { id in try id.accessFileName }).count
    }

    /// - Returns: The pairings that wait, and why one of the others can't be read, if that is so.
    private func waiting(
        in directory: OpenDirectory, at now: Timestamp
    ) throws -> (live: [Pairing], problem: (any StructuredError)?) {
        var live: [Pairing] = []
        var problem: (any StructuredError)?
        for id in try directory.accessIDs() {
            let name = try id.accessFileName
            let file: FileContents?
            do { file = try directory.accessFile(name) } catch {
                problem = error.structured
                continue
            }
            guard let file else { continue }
            if let pairing = try? Pairing(parsing: file.contents, named: id), pairing.isAlive(at: now) {
                live.append(pairing)
            } else {
                // It can let nobody in, so nothing is lost if it stays.
                try? directory.unlink(name)
            }
        }
        return (live, problem)
    }

    /// The grant with a name: its own, else the device's, else one for any device.
    private static func named(_ grant: AccessGrant, or name: String?) -> AccessGrant {
        guard grant.name.isEmpty else { return grant }
        var grant = grant
        grant.name = name.flatMap { AccessGrant.isName($0) ? $0 : nil } ?? "device of \(grant.person)"
        return grant
    }

    private static var refused: AccessError {
        AccessError(
            .pairingCodeRefused, "the pairing code is wrong, used or expired",
            cure: "make another one: trace pair")
    }
}
