package import RecordFormat
internal import TraceFiles
internal import TraceStore

/// A pairing that waits for its code: which token the device gets that knows it.
package struct Pairing: Sendable, Hashable {
    /// Names it, and its file.
    package let id: ULID
    /// What the token will be good for. Its name is empty if the device is to name itself.
    package let grant: AccessGrant
    /// When it was made.
    let createdAt: Timestamp
    /// From when on its codes are worthless.
    package let expiresAt: Timestamp
    /// The SHA-256 of the code that a person types, and of the one that a QR code carries.
    let hashes: [String]

    /// How long a pairing waits, in milliseconds.
    static let lifetime: Int64 = 5 * 60 * 1000

    init(_ grant: AccessGrant, codes: [PairingCode], at now: Timestamp) {
        id = IDGenerator.next()
        self.grant = grant
        createdAt = now
        expiresAt = now.adding(SessionOffset(milliseconds: Self.lifetime))
        hashes = codes.map(\.sha256)
    }

    /// Whether its codes are good at a moment. A clock that was set back makes none live longer.
    func isAlive(at moment: Timestamp) -> Bool {
        moment < expiresAt && expiresAt.milliseconds(since: moment) <= 2 * Self.lifetime
    }

    /// The text of its file.
    var fileText: [UInt8] {
        JSONText.object { object in
            object.member("id", JSONText(id))
            grant.write(to: &object)
            object.member("created_at", createdAt)
            object.member("expires_at", expiresAt)
            object.member("code_sha256", hashes[0])
            object.member("secret_sha256", hashes[1])
        }.bytes + [newline]
    }

    /// Reads a file.
    ///
    /// - Throws: ``AccessMembers/Problem``, ``FormatError``.
    init(parsing text: [UInt8], named id: ULID) throws {
        self = try JSONParser().withParsed(text) { object in
            guard try AccessMembers.id(of: object) == id else { throw AccessMembers.Problem("id") }
            return Pairing(
                id: id, grant: try AccessGrant.read(object),
                createdAt: try AccessMembers.moment("created_at", of: object),
                expiresAt: try AccessMembers.moment("expires_at", of: object),
                hashes: [
                    try AccessMembers.hash("code_sha256", of: object),
                    try AccessMembers.hash("secret_sha256", of: object),
                ])
        }
    }

    private init(
        id: ULID, grant: AccessGrant, createdAt: Timestamp, expiresAt: Timestamp, hashes: [String]
    ) {
        self.id = id
        self.grant = grant
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.hashes = hashes
    }
}
