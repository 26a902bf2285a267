package import RecordFormat
internal import TraceFiles

/// A token as it is kept: all but the secret, of which there is the hash.
package struct AccessToken: Sendable, Hashable {
    /// Names it, and its file.
    package let id: ULID
    /// What it lets its holder do and see, and whose it is.
    package var grant: AccessGrant
    /// When it was made.
    package let createdAt: Timestamp
    /// From when on it lets nobody in; nil if it lasts until it is revoked.
    package let expiresAt: Timestamp?
    /// The SHA-256 of its secret, as ``TokenSecret/sha256`` gives it.
    let sha256: String

    /// A token from its parts.
    init(_ id: ULID, _ grant: AccessGrant, createdAt: Timestamp, expiresAt: Timestamp?, sha256: String) {
        self.id = id
        self.grant = grant
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.sha256 = sha256
    }

    /// What people call it.
    package var name: String { grant.name }
    /// Whose it is.
    package var person: String { grant.person }
    /// What its holder may do.
    package var scope: AccessScope { grant.scope }
    /// What its holder sees; nil for everything.
    package var filter: AccessFilter? { grant.filter }

    /// Whether it has expired by a moment.
    package func isExpired(at moment: Timestamp) -> Bool { expiresAt.map { $0 <= moment } ?? false }
}

extension AccessToken {
    /// The text of its file.
    var fileText: [UInt8] {
        JSONText.object { object in
            object.member("id", JSONText(id))
            grant.write(to: &object)
            object.member("created_at", createdAt)
            object.member("expires_at", expiresAt.map { JSONText($0) })
            object.member("sha256", sha256)
        }.bytes + [newline]
    }

    /// Reads a file. Keys that are not known are ignored.
    ///
    /// - Throws: ``AccessMembers/Problem`` for a member that is missing or can't have its value, an id that is not that of the
    ///   file's name too; ``FormatError`` if the text is not JSON.
    init(parsing text: [UInt8], named id: ULID) throws {
        self = try JSONParser().withParsed(text) { object in
            guard try AccessMembers.id(of: object) == id else { throw AccessMembers.Problem("id") }
            return AccessToken(
                id, try AccessGrant.read(object),
                createdAt: try AccessMembers.moment("created_at", of: object),
                expiresAt: try AccessMembers.momentIfPresent("expires_at", of: object),
                sha256: try AccessMembers.hash("sha256", of: object))
        }
    }
}
