package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceIndex
package import TraceStore
internal import TraceText

/// The session that something is to be written into, or its id alone where it can't be found now.
package struct WriteTarget {
    /// Nil if it is not available, or can't be reached.
    package var place: SessionTarget?
    /// What is known of it: of what is not in `session.json`, or while that is torn, what the index remembers.
    package var session: Session
    /// Why it can't be reached.
    private(set) var problem = "the session was not found"

    /// The id that ``place`` was found to have.
    var id: ULID? { place.map(\.session.id) ?? session.id }

    /// - Parameters:
    ///   - selector: What names the session; nil for the one around `workingDirectory`, else the one that is active.
    ///   - workingDirectory: The process's own: a relative path in `selector` is looked up by the system.
    ///   - mayBeAbsent: Whether what is written can wait in the queue.
    ///   - takesBeginnings: Whether the beginning of a name names a session, too.
    /// - Throws: ``FileError``.
    package init(
        _ selector: SessionSelector?, from workingDirectory: FilePath, in library: LibraryWriter,
        mayBeAbsent: Bool, takesBeginnings: Bool = false
    ) throws {
        do {
            var locator = SessionLocator(roots: library.roots.paths)
            locator.staleAfter = library.staleAfter
            locator.takesBeginnings = takesBeginnings
            let place = try locator.session(selector, from: workingDirectory)
            self.place = place
            session = place.session
            if session.id == nil {
                session = Self.remembered(library.remembered(at: place.path)) ?? session
            }
        } catch let error as StoreError where mayBeAbsent && error.code == .noSuchSession {
            // A session may be on a disk that is not available now.
            guard let id = selector?.wholeID ?? Self.offlineID(selector, from: workingDirectory, in: library)
            else { throw error }
            session = Session()
            session.id = id
        } catch  where mayBeAbsent && error.isAboutReaching {
            session = Session()
            session.id = selector?.wholeID
            if session.id == nil {
                guard case .directory(let typed)? = selector,
                    let known = Self.remembered(
                        library.remembered(at: typed.absolute(from: workingDirectory)))
                else { throw error }
                session = known
            }
            problem = "\(error)"
        }
    }

    /// A session that was chosen and is here.
    package init(_ target: SessionTarget) {
        place = target
        session = target.session
    }

    /// What shows that a clock is wrong, of a session that a record is about to be appended to.
    ///
    /// The files that this looks at are the one that is appended to, and the one that the session's clock is read from anyway.
    package func setBack(now: Timestamp, appendingTo kind: RecordKind) -> ClockSetBack? {
        ClockSetBack(
            of: session, in: place?.directory, now: now,
            lastOf: session.status == .active ? [kind, .timeline] : [kind])
    }

    /// The id of a session whose root is offline, as far as the index knows it.
    private static func offlineID(
        _ selector: SessionSelector?, from workingDirectory: FilePath, in library: LibraryWriter
    ) -> ULID? {
        guard case .directory(let typed)? = selector else { return nil }
        let path = typed.absolute(from: workingDirectory)
        guard let root = library.roots.root(of: path), (try? OpenDirectory(root)) == nil else { return nil }
        return library.remembered(at: path)?.id
    }

    private static func remembered(_ known: IndexedSession?) -> Session? {
        guard let known else { return nil }
        var session = Session()
        session.id = known.id
        session.status = known.status
        session.startTime = known.startTime
        session.duration = known.duration
        return session
    }
}

extension OffsetResolution {
    /// For what is to be written, be it into a session or into the queue.
    package init(for target: WriteTarget, now: Timestamp) {
        let session = target.session
        self.init(
            session: session,
            clock: {
                guard let place = target.place else { return PauseReader().clock(of: session) }
                return try SessionReader(place.directory).clock(of: session)
            },
            lastMarker: { try target.place.flatMap { try Self.lastMarker(in: $0) } }, now: now)
    }
}
