package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore
internal import TraceText

extension LibraryWriter {
    /// Deletes a session: it goes into the bin.
    ///
    /// - Throws: As ``Bin/put(_:by:at:)``.
    /// - Note: Durable on return; as ``Bin/put(_:by:at:)``.
    package func delete(_ target: SessionTarget) throws -> Bin.Item {
        try bin.put(target, by: writer(target))
    }

    /// The session in the bin that is meant.
    ///
    /// - Parameter words: The directory that it had or has now, with or without its date, its id or the beginning of that, its title, or `last`.
    /// - Throws: ``StoreError`` with `.noSuchSession` or `.ambiguousSession`.
    package func deleted(_ words: String, from workingDirectory: FilePath) throws -> Bin.Item {
        let items = bin.items()
        let path = FilePath(words).absolute(from: workingDirectory)
        let title = words.lowercased()
        let prefix = words.uppercased()
        let ways: [(Bin.Item) -> Bool] = [
            { $0.path == path || PathCheck.resolved(path) == PathCheck.resolved($0.path) },
            { $0.origin == path }, { $0.session.id?.description.hasPrefix(prefix) ?? false },
            { $0.origin.lastComponent?.escaped == words || $0.path.lastComponent?.escaped == words },
            { $0.session.title?.lowercased() == title },
            { SessionCandidate(path: $0.origin, session: $0.session).slug == words },
        ]
        if words == "last", let last = items.first { return last }
        for isMeant in ways where !words.isEmpty {
            let found = items.filter(isMeant)
            if let only = found.first, found.count == 1 { return only }
            if !found.isEmpty {
                throw StoreError(
                    .ambiguousSession,
                    "'\(words)' names several sessions in the bin:\n"
                        + found.map { "  \($0.path.escaped)" }.joined(separator: "\n"),
                    cure: "give the directory that it has in the bin")
            }
        }
        throw StoreError(
            .noSuchSession, "no session in the bin is named '\(words)'",
            cure: "\(verb: "session restore") lists those in the bin")
    }

    /// The session in the bin that has an id; the one that was deleted last, if there are several.
    ///
    /// - Throws: ``StoreError`` with `.noSuchSession`.
    package func deleted(_ id: ULID) throws -> Bin.Item {
        if let item = bin.items().first(where: { $0.session.id == id }) { return item }
        throw StoreError(
            .noSuchSession, "no session in the bin has the id \(id)",
            cure: [
                "\(verb: "session restore") lists those in the bin",
                "\(route: "GET /api/v1/bin") lists those in the bin",
            ])
    }

    /// Brings a deleted session back.
    ///
    /// - Throws: ``StoreError`` with `.ambiguousSession` if there is a session of its id already; as ``Bin/restore(_:notingIn:)``.
    /// - Note: Durable on return; as ``Bin/restore(_:notingIn:)``.
    package func restore(_ item: Bin.Item) throws -> RestoredSession {
        if let id = item.session.id, let other = journalsByID()(id).first {
            throw StoreError(
                .ambiguousSession, "the session is there already, in \(other.escaped)", path: item.path,
                cure: "delete the one that is there first: \(verb: "session delete \(other.escaped)")")
        }
        let path = try bin.restore(item, notingIn: undoLog)
        return RestoredSession(path: path, id: item.session.id)
    }
}

/// A session that has come out of the bin.
package struct RestoredSession: Sendable {
    /// Where it is now.
    package let path: FilePath
    /// Nil if its header can't be read.
    let id: ULID?
}
