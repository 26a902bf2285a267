internal import SystemPackage
internal import TraceFiles
package import TraceIndex
internal import TraceStore
package import TraceText

/// Bringing the index up to date with all sessions.
extension JournalLibrary {
    /// How an index was brought up to date.
    package struct Freshness: Sendable, Equatable {
        /// How many sessions lagged that were compared.
        var lagging = 0
        /// Whether a daemon answered for all sessions, so that none was compared.
        package var isWatched = false
    }

    /// Brings the index up to date with every session below the roots, and lists what it knows of them, the latest first.
    ///
    /// - Throws: ``IndexError``, ``FileError``.
    package func sessions() throws -> [IndexedSession] {
        let index = try openIndex()
        answered(try bringUpToDate(index))
        return try list(index)
    }

    /// Says where an answer comes from.
    func answered(_ freshness: Freshness) {
        tell(.answered(freshness.isWatched ? .watchedIndex : .index(lagging: freshness.lagging)))
    }

    /// Compares the index with every session below the roots, and reads what it lacks. Roots that a daemon watches are not
    /// compared: it has read all that was written before the call.
    ///
    /// - Parameter report: Called with each directory below a root that can't be read; if there is nobody, a notice tells it.
    /// - Throws: ``IndexError``; ``FileError`` if a session can't be read.
    @discardableResult
    package func bringUpToDate(
        _ index: JournalIndex, report: ((any StructuredError) -> Void)? = nil
    ) throws -> Freshness {
        let known = try knownRoots(index)
        let others = roots.paths.filter { !known.contains($0) }
        guard !others.isEmpty else { return Freshness(isWatched: true) }
        let sweep: SharedSweeps.Sweep
        if let sweeps {
            sweep = try sweeps.run(others) { try self.sweep(others, index) }
        } else {
            sweep = try self.sweep(others, index)
        }
        for error in sweep.unreadable {
            if let report { report(error) } else { tell(.unreadable(error)) }
        }
        return Freshness(lagging: sweep.lagging)
    }

    /// The roots that need not be compared with an index.
    func knownRoots(_ index: JournalIndex) throws -> Set<FilePath> {
        guard let watched, let watched = try WatchedRoots.known(of: index, asking: watched) else { return [] }
        // Whether a root is there is for this process to see, which tells it, too.
        return try watched.known(of: roots).filter { try index.visit(root: $0) == .online }
    }

    private func sweep(_ roots: [FilePath], _ index: JournalIndex) throws -> SharedSweeps.Sweep {
        let scanner = RootScanner(index, roots: self.roots, settleTime: settleTime)
        var sweep = SharedSweeps.Sweep()
        for root in roots {
            let isThere = (try? OpenDirectory(root)) != nil
            var hasRead = false
            defer { if hasRead { tell(.reading(left: 0)) } }
            try scanner.scan(root) { event in
                switch event {
                case .looked(.offline) where !isThere:
                    // If it can't be listed, that says why.
                    let isNew = try index.journals(in: root).isEmpty
                    _ = SessionFinder.sessions(in: root) { error in
                        tell(isNew && error.code == .notFound ? .rootIsNew(error) : .unreadable(error))
                    }
                case .looked(.offline): tell(.rootIsEmpty(root))
                case .found(_, _, let unreadable): sweep.unreadable += unreadable
                case .reading(let left):
                    hasRead = true
                    tell(.reading(left: left))
                // What can't be looked at is that journal's alone.
                case .read(_, .failure(let error as any LocatedError)) where error.isOfOneJournal:
                    sweep.unreadable.append(error)
                case .read(_, let change): if try change.get().outcome != .unchanged { sweep.lagging += 1 }
                case .removed(let gone): sweep.lagging += gone.count
                case .failed(_, let error): throw error
                case .looked, .current, .otherNames: break
                }
            }
        }
        return sweep
    }

    /// Reads what has changed of some sessions that an answer shows.
    ///
    /// A daemon does not see what is written through a mapping of a file (mmap(2)), or by a second name that was given to a file
    /// outside of what it watches. Comparing what is shown costs little.
    ///
    /// - Returns: Whether anything has.
    func readChanges(of shown: some Sequence<FilePath>, _ index: JournalIndex) throws -> Bool {
        let outdated = try index.outdated(among: Array(shown.prefix(Self.comparedLimit)))
        var hasChanged = false
        // What can't be read by this user, the daemon has read.
        try RootScanner(index, roots: roots, settleTime: settleTime).read(outdated) { event in
            if case .read(_, .success(let change)) = event,
                ![.unchanged, .unreachable].contains(change.outcome)
            {
                hasChanged = true
            }
        }
        return hasChanged
    }

    /// How many of the sessions that are shown are compared, the first ones: some 20 ms.
    private static let comparedLimit = 1000
}

extension LocatedError {
    /// Whether it says something of the journal that was read, and not of the index or of this process.
    var isOfOneJournal: Bool {
        !(self is IndexError) && (self as? FileError)?.code != .tooManyOpenFiles
    }
}
