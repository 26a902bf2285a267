internal import GRDB
package import SystemPackage
internal import TraceFiles
package import TraceStore
internal import TraceText

extension JournalIndex {
    /// Compares a session's files with its rows, and reads what is new.
    ///
    /// - Parameters:
    ///   - path: The session's directory; the same spelling each time, for it is the key.
    ///   - root: The root below which it was found, if any.
    ///   - settleTime: How long a file must have rested before its unfinished last line counts as torn.
    ///   - verification: How much of a large file that grew is compared with what was read.
    /// - Throws: ``IndexError``, with nothing changed; ``FileError`` with `.permissionDenied` or
    ///   `.tooManyOpenFiles` for the directory.
    /// - Complexity: A few `stat` where nothing changed; after an append what was appended, and the session's
    ///   timeline and voice notes; else the size of the files that changed.
    ///
    /// Source: docs/index.md#how-a-session-is-brought-up-to-date.
    package func reconcile(
        journal path: FilePath, in root: FilePath?, settleTime: Duration = .seconds(2),
        verification: Verification = .quick
    ) throws -> JournalReconciliation {
        let snapshot = try formats.snapshot(at: path, settleTime: settleTime)
        do {
            if let snapshot, let unchanged = try unchanged(path, root, snapshot, verification) {
                return unchanged
            }
        } catch let error as IndexError where error.code == .corrupt && database.access == .writing {
            // It has been rebuilt now, and is filled again.
        }
        return try database.write { database in
            // Taken again: what was seen before another process wrote must not replace what that one has seen since.
            let snapshot = try formats.snapshot(at: path, settleTime: settleTime)
            return try bringUpToDate(path, root, snapshot, verification, in: database)
        }
    }

    /// Does the same for many sessions: for the first of them, as many as a tenth of a second allows, in one transaction,
    /// which costs far less than one for each.
    ///
    /// - Parameter root: The root below which each was found, if any.
    /// - Returns: What was found of each of the first sessions, at least one; each failure is that session's alone.
    package func reconcile(
        first sessions: some Collection<FilePath>, in root: (FilePath) -> FilePath?, settleTime: Duration,
        verification: Verification
    ) -> [Result<JournalReconciliation, any Error>] {
        var begun = 0
        do {
            let changes = try database.write { database in
                begun = 0
                let end = ContinuousClock.now + Self.longestTransaction
                var changes: [JournalReconciliation] = []
                for path in sessions {
                    begun += 1
                    let snapshot = try formats.snapshot(at: path, settleTime: settleTime)
                    try changes.append(bringUpToDate(path, root(path), snapshot, verification, in: database))
                    if .now > end { break }
                }
                return changes
            }
            return changes.map(Result.success)
        } catch {
            // Nothing of it was kept. Which of them it was shows when each is on its own.
            return sessions.prefix(max(begun, 1)).map { path in
                Result {
                    try reconcile(
                        journal: path, in: root(path), settleTime: settleTime, verification: verification)
                }
            }
        }
    }

    /// So short that others who want to write in between don't feel it.
    private static let longestTransaction = Duration.milliseconds(100)

    private func bringUpToDate(
        _ path: FilePath, _ root: FilePath?, _ snapshot: JournalSnapshot?, _ verification: Verification,
        in database: Database
    ) throws -> JournalReconciliation {
        guard let snapshot else { return try Self.handleMissing(path, from: root, in: database) }
        let root = try root.map { try RootRow.ensure($0, in: database) }
        var reconciler = try SourceReconciler(
            path, root: root?.id, snapshot: snapshot, verification: verification, formats: formats,
            in: database)
        var result = try reconciler.run()
        result.otherNames = snapshot.otherNames
        return result
    }

    /// The outcome for a session of which nothing changed, or nil.
    private func unchanged(
        _ path: FilePath, _ root: FilePath?, _ snapshot: JournalSnapshot, _ verification: Verification
    ) throws -> JournalReconciliation? {
        try database.read { database in
            guard let known = try KnownSource(database, at: path), known.isCurrent(snapshot, verification),
                try root == nil || RootRow(database, at: root)?.id == known.rootID
            else { return nil }
            var result = JournalReconciliation(.unchanged)
            result.isSettled = known.isSettled
            result.otherNames = snapshot.otherNames
            result.findingCount = try FindingRows(
                source: known.id, rules: formats, database: database
            ).count()
            return result
        }
    }

    /// Notes that a search of its root does not find a session, whatever is at its path: its rows are removed, unless the root is
    /// missing, too.
    ///
    /// - Throws: ``IndexError``.
    package func reconcile(missing path: FilePath, from root: FilePath) throws -> JournalReconciliation {
        try database.write { try Self.handleMissing(path, from: root, in: $0) }
    }

    /// Handles a missing session: it is removed, unless its root is missing, too.
    private static func handleMissing(
        _ path: FilePath, from root: FilePath?, in database: Database
    ) throws -> JournalReconciliation {
        if let root, let row = try RootRow(database, at: root), !row.isThere {
            if row.state == .online { try row.set(.offline, in: database) }
            return JournalReconciliation(.unreachable)
        }
        try KnownSource(database, at: path)?.delete(from: database)
        return JournalReconciliation(.removed)
    }

    /// Whether the rows of a session are what its files hold now: the identities of its files, its directory
    /// and its `media` are those that were read, and none of them was so fresh then that a later change could
    /// have left the same.
    ///
    /// - Note: False also right after a reconcile that was not settled (``JournalReconciliation/isSettled``): its rows are
    ///   right as of then, but that can't be determined later.
    package func isCurrent(session path: FilePath) throws -> Bool {
        guard let snapshot = try? formats.snapshot(at: path, settleTime: .zero) else { return false }
        return try database.read { try KnownSource($0, at: path)?.isCurrent(snapshot, .thorough) ?? false }
    }

    /// Of these sessions, those whose files are not what the index knows, or that are not below that root as
    /// far as it knows: one transaction for all, a query and a few `stat` for each. A session that can't be
    /// looked at is among them.
    ///
    /// - Parameter noteOtherNames: Called with each whose files have other names, by which they may change.
    package func outdated(
        among sessions: [FilePath], in root: FilePath? = nil, verification: Verification = .thorough,
        noteOtherNames: (FilePath, OtherNames) -> Void = { _, _ in }
    ) throws -> [FilePath] {
        try database.read { database in
            let rootID = try root.flatMap { try RootRow(database, at: $0)?.id }
            return try sessions.filter { path in
                guard let snapshot = try? formats.snapshot(at: path, settleTime: .zero) else { return true }
                if !snapshot.otherNames.isEmpty { noteOtherNames(path, snapshot.otherNames) }
                guard let source = try KnownSource(database, at: path), root == nil || source.rootID == rootID
                else { return true }
                return !source.isCurrent(snapshot, verification)
            }
        }
    }

    /// Removes a session's rows.
    package func forget(session path: FilePath) throws {
        try database.write { try KnownSource($0, at: path)?.delete(from: $0) }
    }

    /// Rebuilds the index, with the rows that `fill` gives the new one; the roots stay.
    ///
    /// The new one is made beside this one, which answers until it is replaced and stays if `fill` throws. So nothing of
    /// it must be durable before it is whole, which halves the time that many rows take.
    ///
    /// - Throws: ``IndexError``; what `fill` throws.
    package func rebuild(_ fill: (JournalIndex) throws -> Void = { _ in }) throws {
        // Of a damaged one, the roots are lost.
        let roots = (try? database.read { try RootRow.all(in: $0) }) ?? []
        try PrivateDirectory.with(in: path.removingLastComponent()) { directory in
            let fresh = try JournalIndex(
                ownAt: directory.appending("index.sqlite"), formats: formats)
            try fresh.database.write { database in for root in roots { try root.insert(in: database) } }
            try fill(fresh)
            try fresh.database.finish()
            try database.replace(with: fresh.path)
        }
    }
}
