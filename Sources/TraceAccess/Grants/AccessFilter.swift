package import RecordFormat
package import SystemPackage
internal import TraceFiles

/// The sessions and other journals that a token sees: those named by id, and those below the directories named. A filter that names
/// nothing shows nothing.
package struct AccessFilter: Sendable, Hashable {
    /// Sessions, wherever they are.
    package var sessions: [ULID]
    /// Journals of any kind, wherever they are.
    package var journals: [ULID]
    /// Directories, by their absolute paths.
    package var roots: [FilePath]

    /// A filter from its parts.
    package init(sessions: [ULID] = [], journals: [ULID] = [], roots: [FilePath] = []) {
        self.sessions = sessions
        self.journals = journals
        self.roots = roots
    }

    /// Whether a session or another journal is seen.
    ///
    /// - Parameters:
    ///   - id: The session's id; nil if it has none.
    ///   - path: Its directory, by the path under which its root is configured. Paths are compared by their names: links are not
    ///     resolved.
    package func shows(_ id: ULID?, at path: FilePath) -> Bool {
        if let id, sessions.contains(id) || journals.contains(id) { return true }
        return roots.contains { path.lies(in: $0) }
    }
}

extension AccessFilter {
    /// Adds the members `sessions`, `journals` and `roots`; each is left out if it is empty. A program that knows no journals must not
    /// take the filter for none: without roots, there are sessions, if only an empty list of them.
    package func write(to object: inout JSONObjectText) {
        if !sessions.isEmpty || roots.isEmpty {
            object.member("sessions", .array(sessions.map { JSONText($0) }))
        }
        if !journals.isEmpty { object.member("journals", .array(journals.map { JSONText($0) })) }
        if !roots.isEmpty { object.member("roots", .array(roots.map(Self.text))) }
    }

    /// A path as a string, or as an object with its bytes in hexadecimal if it is not UTF-8.
    private static func text(of root: FilePath) -> JSONText {
        if let text = String(validating: root.bytes, as: UTF8.self) { return JSONText(text) }
        return .object { $0.member("bytes", hexadecimal(root.bytes)) }
    }

    /// Reads the members of an object.
    ///
    /// - Returns: Nil if it has neither: then everything is seen.
    /// - Throws: ``AccessMembers/Problem``: anything else than what ``write(to:)`` writes would let somebody see more than was
    ///   meant.
    static func read(_ object: JSONValue) throws -> AccessFilter? {
        let sessions = object[name: "sessions"]
        let journals = object[name: "journals"]
        let roots = object[name: "roots"]
        guard sessions != nil || journals != nil || roots != nil else { return nil }
        var filter = AccessFilter()
        if let sessions { filter.sessions = try ids(sessions, "sessions") }
        if let journals { filter.journals = try ids(journals, "journals") }
        if let roots {
            guard roots.kind == .array else { throw AccessMembers.Problem("roots") }
            filter.roots = try roots.elements.map { element in
                guard let root = path(element), root.isAbsolute else { throw AccessMembers.Problem("roots") }
                return root
            }
        }
        return filter
    }

    private static func ids(_ value: JSONValue, _ name: StaticString) throws -> [ULID] {
        guard value.kind == .array else { throw AccessMembers.Problem(name) }
        return try value.elements.map { element in
            guard let id = element.utf8.flatMap({ ULID(bytes: $0) }) else {
                throw AccessMembers.Problem(name)
            }
            return id
        }
    }

    private static func path(_ value: JSONValue) -> FilePath? {
        if let utf8 = value.utf8 { return utf8.contains(0) ? nil : FilePath(bytes: utf8) }
        return value[name: "bytes"]?.string.flatMap { FilePath(hexadecimal: $0) }
    }
}
