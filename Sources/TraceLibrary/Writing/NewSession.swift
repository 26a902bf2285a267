package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore
internal import TraceText

/// A session that has been created.
package struct CreatedSession: Sendable {
    package let path: FilePath
    package let id: ULID
    /// The recording from which it was created, if any.
    package var media: AddedMedia?
    /// How long it was, if it was closed with that recording.
    package var duration: SessionOffset?

    /// A session that is there.
    package init(path: FilePath, id: ULID, media: AddedMedia? = nil) {
        self.path = path
        self.id = id
        self.media = media
    }
}

extension LibraryWriter {
    /// Creates an active session in a directory.
    ///
    /// - Parameters:
    ///   - path: Must not exist; the directory above it must, unless it is a root that has never been there.
    ///   - start: When the recording began.
    ///   - now: When the session is made.
    ///   - isNoted: Whether `trace undo` is to take it back by itself.
    ///   - onRoot: Called with the root that had to be made.
    /// - Throws: As ``SessionWriter/create(at:title:start:created:runtimeDirectory:)``.
    /// - Note: Durable on return. A kill leaves the session whole or not there, and maybe an empty root.
    package func createSession(
        at path: FilePath, id: ULID = IDGenerator.next(), title: String, start: Timestamp,
        now: Timestamp = Clock.now(), isNoted: Bool = true, onRoot: (FilePath) -> Void = { _ in }
    ) throws -> CreatedSession {
        if let root = try makeMissingRoot(for: path) { onRoot(root) }
        try SessionWriter.create(
            at: path, id: id, title: title, start: start, created: now, runtimeDirectory: runtimeDirectory)
        if isNoted { noteMade(path, id) }
        return CreatedSession(path: path, id: id)
    }

    /// Creates an active session whose directory has the name of its date and title, in the first of some roots that can be
    /// written.
    ///
    /// - Parameters:
    ///   - candidates: The roots that may be chosen, the one that wins first.
    ///   - zone: That of the date.
    /// - Throws: ``LibraryError`` with `.noRoot`; ``FileError`` of the last root if none can be written; else as
    ///   ``createSession(at:title:start:now:onRoot:)``.
    package func createSession(
        id: ULID = IDGenerator.next(), inFirstOf candidates: some Collection<FilePath>, title: String,
        start: Timestamp, in zone: ZoneRules, now: Timestamp = Clock.now(), isNoted: Bool = true,
        onRoot: (FilePath) -> Void = { _ in }
    ) throws -> CreatedSession {
        let names = NewSessionName(title: title, date: zone.date(of: start))
        var rest = candidates[...]
        while let root = rest.popFirst() {
            do {
                return try createSession(
                    id, named: names, in: root, title: title, start: start, now: now, isNoted: isNoted,
                    onRoot: onRoot)
            } catch  where error.isAboutReaching && !rest.isEmpty {
                continue
            }
        }
        throw LibraryError(.noRoot, "there is no root in which to create the session")
    }

    /// So many sessions of a day may have one title.
    private static let mostOfOneName = 100

    private func createSession(
        _ id: ULID, named names: NewSessionName, in root: FilePath, title: String, start: Timestamp,
        now: Timestamp, isNoted: Bool, onRoot: (FilePath) -> Void
    ) throws -> CreatedSession {
        var number = 1
        while let name = names[number] {
            do {
                return try createSession(
                    at: root.appending(name), id: id, title: title, start: start, now: now,
                    isNoted: isNoted, onRoot: onRoot)
            } catch let error as FileError
                where error.code == .alreadyExists && number < Self.mostOfOneName
            {
                number += 1
            }
        }
        throw LibraryError(.noRoot, "there is no root in which to create the session")
    }
}

extension LibraryWriter {
    /// Makes the sessions that entries of the queue begin: active, from the moment of the entry on, in the first root that can be written.
    ///
    /// An undo takes the entry back, and the session with it.
    ///
    /// - Parameters:
    ///   - candidates: The roots that may be chosen, the one that wins first.
    ///   - isKnown: Whether there is a journal of an id, although it can't be reached now.
    package func beginning(
        inFirstOf candidates: [FilePath], isKnown: @escaping @Sendable (ULID) -> Bool
    ) -> SessionBeginning {
        { entry, change in
            guard case .start(let title) = change.action, !isKnown(entry.journalID) else { return nil }
            return try createSession(
                id: entry.journalID, inFirstOf: candidates, title: title, start: change.moment,
                in: ZoneFiles.rules(configured: timeZone), now: entry.createdAt, isNoted: false
            ).path
        }
    }
}
