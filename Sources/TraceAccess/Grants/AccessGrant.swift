internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// What a token lets its holder do and see, and whose it is.
package struct AccessGrant: Sendable, Hashable {
    /// What people call it, such as the device that holds it.
    package var name: String
    /// Whose it is. Devices of one person share positions and may remove each other's marks.
    package var person: String
    /// What its holder may do.
    package var scope: AccessScope
    /// What its holder sees; nil for everything.
    package var filter: AccessFilter?
    /// Whether it is a link for a guest.
    package var isLink: Bool

    /// A grant from its parts.
    package init(
        name: String, person: String, scope: AccessScope, filter: AccessFilter? = nil, isLink: Bool = false
    ) {
        self.name = name
        self.person = person
        self.scope = scope
        self.filter = filter
        self.isLink = isLink
    }

    /// The most bytes of a name.
    static let longestName = 200

    /// Whether a text may be the name of a token or of a person: 1 ... 200 bytes, no control characters, not only spaces.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= longestName && text.oneLine == text
            && !text.allSatisfy(\.isWhitespace)
    }

    /// - Throws: ``FileError`` with `.invalidData` for a name that ``isName(_:)`` refuses.
    func requireNames() throws(FileError) {
        for (what, text) in [("name", name), ("person", person)] where !Self.isName(text) {
            throw FileError(
                .invalidData, "the \(what) '\(text.prefix(40))' is not a valid one",
                cure: "use 1 to \(Self.longestName) bytes of text without control characters")
        }
    }
}

extension AccessGrant {
    /// Adds the members of an object in a file.
    func write(to object: inout JSONObjectText) {
        object.member("name", name)
        object.member("person", person)
        object.member("scope", scope.rawValue)
        filter?.write(to: &object)
        object.member("link", JSONText(isLink))
    }

    /// Reads the members of an object.
    ///
    /// - Throws: ``AccessMembers/Problem``.
    static func read(_ object: JSONValue) throws -> AccessGrant {
        guard let scope = AccessScope(rawValue: try AccessMembers.string("scope", of: object)) else {
            throw AccessMembers.Problem("scope")
        }
        var isLink = false
        if let link = object[name: "link"] {
            guard let value = link.boolean else { throw AccessMembers.Problem("link") }
            isLink = value
        }
        return AccessGrant(
            name: try AccessMembers.string("name", of: object),
            person: try AccessMembers.string("person", of: object), scope: scope,
            filter: try AccessFilter.read(object), isLink: isLink)
    }
}
