package import RecordFormat

/// Who delivered an entry over the network: who may take back what a token delivered is decided by it.
package struct Deliverer: Sendable, Hashable {
    /// The id of the token that was shown, never the token itself.
    package var token: ULID
    /// Whose token it is.
    package var person: String?

    package init(token: ULID, person: String? = nil) {
        self.token = token
        self.person = person
    }

    /// Reads the members `token` and `person`; nil where there is no token.
    package init?(_ value: JSONValue) {
        guard let token = value[name: "token"]?.utf8.flatMap(ULID.init(bytes:)) else { return nil }
        self.init(token: token, person: value[name: "person"]?.string)
    }

    /// Whether what one has sent is the other's to complete: by the same token, or by tokens of one person. Nil is who needs no token,
    /// who is only the same as themselves.
    package static func areSame(_ one: Deliverer?, _ other: Deliverer?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.token == other.token || (one.person != nil && one.person == other.person)
    }

    var json: JSONText {
        .object { object in
            object.member("token", JSONText(token))
            object.member("person", person.map { JSONText($0) })
        }
    }
}
