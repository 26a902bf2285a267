package import RecordFormat
internal import TraceStore

/// Something that was done to the tokens or with one, as the access log keeps it. Secrets are no part of it.
package struct AccessEvent: Sendable, Hashable {
    /// What happened. Open, so that the log of another version can be read.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// The stable name in the log.
        package let rawValue: String

        /// A kind of this name.
        package init(rawValue: String) { self.rawValue = rawValue }

        /// A device got its token for a pairing code.
        package static let paired = Kind(rawValue: "paired")
        /// A command added a token.
        package static let tokenAdded = Kind(rawValue: "token-added")
        /// A token was revoked.
        package static let tokenRevoked = Kind(rawValue: "token-revoked")
        /// A token got another name.
        package static let tokenRenamed = Kind(rawValue: "token-renamed")
        /// A command began a pairing.
        package static let pairingBegun = Kind(rawValue: "pairing-begun")
        /// Attempts without a valid token or code were refused, ``AccessEvent/count`` of them.
        package static let refused = Kind(rawValue: "refused")
        /// A queue entry was dropped.
        package static let dropped = Kind(rawValue: "dropped")
        /// A digest was overwritten.
        package static let digestOverwritten = Kind(rawValue: "digest-overwritten")
    }

    /// When.
    package var at: Timestamp
    /// What.
    package var kind: Kind
    /// The token that it was done to or with.
    package var token: ULID?
    /// What that was called then.
    package var tokenName: String?
    /// The user of this machine who did it; nil if it came by the network.
    package var user: String?
    /// The address that it came from; nil if it was done on this machine.
    package var address: String?
    /// How many attempts were refused.
    package var count: Int64?
    /// What else it was about: the id of an action, of an entry or of a session.
    package var subject: String?

    /// An event from its parts.
    package init(
        _ kind: Kind, at: Timestamp = Clock.now(), token: ULID? = nil, tokenName: String? = nil,
        user: String? = nil, address: String? = nil, count: Int64? = nil, subject: String? = nil
    ) {
        self.at = at
        self.kind = kind
        self.token = token
        self.tokenName = tokenName
        self.user = user
        self.address = address
        self.count = count
        self.subject = subject
    }
}

extension AccessEvent {
    /// Its line in the log, and in `--json`.
    package var json: JSONText {
        .object { object in
            object.member("at", at)
            object.member("what", kind.rawValue)
            object.member("token_id", token.map { JSONText($0) })
            object.member("token_name", tokenName.map { JSONText($0) })
            object.member("user", user.map { JSONText($0) })
            object.member("address", address.map { JSONText($0) })
            object.member("count", count.map { JSONText($0) })
            object.member("subject", subject.map { JSONText($0) })
        }
    }

    /// - Returns: Nil for a line that has no time or does not say what happened.
    init?(_ line: JSONValue) {
        guard let at = line[name: "at"]?.timestamp, let what = line[name: "what"]?.string else { return nil }
        self.init(
            Kind(rawValue: what), at: at, token: line[name: "token_id"]?.utf8.flatMap { ULID(bytes: $0) },
            tokenName: line[name: "token_name"]?.string, user: line[name: "user"]?.string,
            address: line[name: "address"]?.string, count: line[name: "count"]?.integer,
            subject: line[name: "subject"]?.string)
    }
}
