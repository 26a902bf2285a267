package import RecordFormat
package import SystemPackage
package import TraceAccess
internal import TraceCrypto
internal import TraceFiles
package import TraceIndex

/// The names of sessions and of other journals for clients that know no directories: an id where exactly one journal has it, of
/// whatever kind, else `~` and 16 hexadecimal digits of the SHA-256 of its path.
///
/// Source: docs/http.md#sessions-in-addresses.
package struct SessionHandles: Sendable {
    private let index: JournalIndex
    private let scope: SessionScope

    /// - Parameters:
    ///   - index: One that is up to date; a session that it does not know has no handle.
    ///   - scope: The sessions that may be named; to the client there are no others.
    package init(_ index: JournalIndex, within scope: SessionScope) {
        self.index = index
        self.scope = scope
    }

    /// The handle of the session in a directory, or of another journal.
    ///
    /// - Parameter id: What its header says; nil if it can't be read.
    /// - Throws: ``IndexError``.
    package func handle(of path: FilePath, _ id: ULID?) throws -> String {
        guard let id, try index.journalCount(withID: id) <= 1 else {
            return Self.digest(of: path)
        }
        return id.description
    }

    /// The handles of sessions as one question tells them: for a page of them, of which each would else be asked for by itself.
    ///
    /// - Parameter ids: Those of the sessions that will be named; another one is looked up when it is.
    /// - Returns: The handle of the session in a directory, which has that id.
    /// - Throws: ``IndexError``.
    package func naming(
        _ ids: some Sequence<ULID>
    ) throws -> @Sendable (_ path: FilePath, _ id: ULID?) -> String {
        let asked = Set(ids)
        let repeated = try index.repeatedIDs(among: Array(asked))
        let handles = self
        return { path, id in
            if let id, asked.contains(id) { return repeated.contains(id) ? Self.digest(of: path) : "\(id)" }
            return (try? handles.handle(of: path, id)) ?? Self.digest(of: path)
        }
    }

    /// The handle that a directory has whatever its id is.
    package static func digest(of path: FilePath) -> String {
        "~" + hexadecimal(SHA256.hash(data: path.bytes)).prefix(16)
    }

    /// The sessions that a text names: by a handle, a whole id or a unique beginning of one, the name of a directory or a
    /// title; `last` is the one that began last.
    ///
    /// - Throws: ``IndexError``.
    /// - Complexity: O(log sessions) for an id or the beginning of one, else O(sessions).
    package func sessions(named text: String) throws -> [IndexedSession] {
        if text.hasPrefix("~") {
            let digest = text.lowercased()
            return try visible(index.sessions()).filter { Self.digest(of: $0.path) == digest }
        }
        if text == "last" { return try last() }
        guard !text.isEmpty else { return [] }
        let byID = try visible(index.sessions(withIDPrefix: text))
        if !byID.isEmpty { return byID }
        let all = try visible(index.sessions())
        let byName = all.filter { $0.path.lastComponent?.escaped == text }
        if !byName.isEmpty { return byName }
        return all.filter { $0.title?.lowercased() == text.lowercased() }
    }

    /// The paths of the journals of any kind that a text names: by a handle, a whole id or four or more characters of the beginning of
    /// one, in either case.
    ///
    /// - Throws: ``IndexError``.
    /// - Complexity: O(log journals) for an id or the beginning of one, else O(journals); their records and findings are not counted.
    package func journals(named text: String) throws -> [FilePath] {
        if text.hasPrefix("~") {
            let digest = text.lowercased()
            return try visible(index.uncountedJournals()).map(\.path).filter { Self.digest(of: $0) == digest }
        }
        guard text.utf8.count >= 4 else { return [] }
        return try visible(index.uncountedJournals(withIDPrefix: text.uppercased())).map(\.path)
    }

    /// The session that began last.
    private func last() throws -> [IndexedSession] {
        guard scope.filter == nil else { return try Array(visible(index.sessions()).prefix(1)) }
        var filter = SessionFilter()
        filter.roots = scope.roots
        filter.limit = 1
        return try index.sessions(filter)
    }

    private func visible(_ journals: [IndexedSession]) -> [IndexedSession] {
        journals.filter { scope.contains($0) }
    }
}

/// Which sessions a client may know of.
///
/// Source: docs/access.md#what-a-token-sees.
package struct SessionScope: Sendable, Hashable {
    /// The roots that are searched.
    let roots: [FilePath]
    /// What is let through; nil for everything.
    package let filter: AccessFilter?

    /// Sessions of these roots that the filter shows.
    package init(roots: [FilePath], filter: AccessFilter? = nil) {
        self.roots = roots
        self.filter = filter
    }

    /// Whether a session may be known.
    package func contains(_ session: IndexedSession) -> Bool {
        session.lies(in: roots) && shows(session.path, session.id)
    }

    /// Whether the session in a directory below the roots may be known.
    ///
    /// - Parameter id: What `session.json` says; nil if it can't be read.
    package func shows(_ path: FilePath, _ id: ULID?) -> Bool { filter?.shows(id, at: path) ?? true }
}
