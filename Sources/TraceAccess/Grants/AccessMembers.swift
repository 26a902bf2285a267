internal import RecordFormat

/// Strict reading of the members of a file that lets somebody in: what is not exactly as it was written counts as damaged.
enum AccessMembers {
    /// A member that is missing, or has a value that it can't have.
    struct Problem: Error {
        let member: String

        init(_ member: StaticString) { self.member = "\(member)" }
    }

    static func string(_ name: StaticString, of object: JSONValue) throws(Problem) -> String {
        guard let text = object[name: name]?.string else { throw Problem(name) }
        return text
    }

    /// The SHA-256 of a secret, as 64 lower-case hexadecimal digits.
    static func hash(_ name: StaticString, of object: JSONValue) throws(Problem) -> String {
        let text = try string(name, of: object)
        guard text.utf8.count == 64,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { throw Problem(name) }
        return text
    }

    static func moment(_ name: StaticString, of object: JSONValue) throws(Problem) -> Timestamp {
        guard let moment = object[name: name]?.timestamp else { throw Problem(name) }
        return moment
    }

    /// - Returns: Nil if there is no such member.
    static func momentIfPresent(_ name: StaticString, of object: JSONValue) throws(Problem) -> Timestamp? {
        object[name: name] == nil ? nil : try moment(name, of: object)
    }

    static func id(of object: JSONValue) throws(Problem) -> ULID {
        guard let id = object[name: "id"]?.utf8.flatMap({ ULID(bytes: $0) }) else { throw Problem("id") }
        return id
    }
}
