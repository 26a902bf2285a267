internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// Where deleted sessions are, until they are restored or have been there long enough: in each root a directory `.trace-bin`, and one
/// beside a session that lay in no root. A session gets there, and back, by one rename, so it is whole in either place.
///
/// In it are the sessions' directories, by the moment and the old name, and beside each a file `.from` with the path that it had.
///
/// Source: docs/durability.md#the-bin.
package struct Bin: Sendable {
    let roots: [FilePath]
    let state: FilePath
    let runtimeDirectory: FilePath?
    /// What tests make happen between the steps.
    var failPoint: FailPoint?

    /// - Parameters:
    ///   - roots: Where sessions are.
    ///   - state: Where it is noted which bins lie in no root.
    package init(roots: [FilePath], state: FilePath, runtimeDirectory: FilePath? = nil) {
        self.roots = roots
        self.state = state
        self.runtimeDirectory = runtimeDirectory
    }

    /// A session in the bin.
    package struct Item: Sendable {
        /// Where it is now.
        package let path: FilePath
        /// Where it was.
        package let origin: FilePath
        package let deletedAt: Timestamp
        /// What `session.json` says; nothing where that can't be read.
        package let session: Session
        /// The name in the bin.
        var name: FilePath.Component { path.lastComponent ?? JournalFinder.bin }
    }

    // MARK: - What is there

    /// What is in the bins that can be read, the latest first.
    ///
    /// - Complexity: O(roots) where there is no bin.
    package func items() -> [Item] {
        directories().flatMap(items).sorted {
            ($0.deletedAt, $0.path.string) > ($1.deletedAt, $1.path.string)
        }
    }

    private func items(in bin: FilePath) -> [Item] {
        guard let directory = try? OpenDirectory(bin) else { return [] }
        var names: [FilePath.Component] = []
        try? directory.forEachName { names.append($0) }
        return names.compactMap { item(named: $0, in: directory) }
    }

    /// - Returns: Nil if the name is not that of a deleted session.
    func item(named name: FilePath.Component, in bin: OpenDirectory) -> Item? {
        guard let entry = BinName(name),
            (try? bin.status(of: name, followingLinks: false))?.kind == .directory
        else { return nil }
        let holder = bin.path.removingLastComponent()
        let path = bin.path(of: name)
        let session = (try? SessionReader(path).readableHeader().session) ?? Session()
        return Item(
            path: path, origin: origin(of: name, in: bin).map(holder.pushing) ?? holder.appending(entry.name),
            deletedAt: entry.moment, session: session)
    }

    /// The path that a session had, from where the bin is; nil if that is not known, or leads elsewhere.
    private func origin(of name: FilePath.Component, in bin: OpenDirectory) -> FilePath? {
        guard let note = BinName.note(of: name),
            let bytes = try? bin.readFile(note, limit: 1 << 16, followsLink: false)?.contents,
            !bytes.contains(0)
        else { return nil }
        let path = FilePath(bytes: bytes)
        guard path.isRelative, !path.components.isEmpty, path.components.allSatisfy({ $0.kind == .regular })
        else { return nil }
        return path
    }

    /// Every bin, whether it is there or not.
    func directories() -> [FilePath] {
        var bins = roots.map { $0.appending(JournalFinder.bin) }
        if let places = try? OpenDirectory(places) {
            var names: [FilePath.Component] = []
            try? places.forEachName { names.append($0) }
            for name in names where !TemporaryFile.isName(name) {
                guard let bytes = try? places.readFile(name, limit: 1 << 16)?.contents, !bytes.contains(0)
                else { continue }
                bins.append(FilePath(bytes: bytes))
            }
        }
        var seen: Set<FileID> = []
        return bins.filter { bin in
            guard let file = (try? OpenDirectory(bin).status())?.identity.file else { return false }
            return seen.insert(file).inserted
        }
    }

    /// The paths of bins that lie in no root, a file each.
    private var places: FilePath { state.appending("bins") }

    /// Notes where a bin is that lies in no root.
    private func note(_ bin: FilePath) throws {
        let checksum = UndoableWrite.checksum(of: bin.bytes)
        guard let name = FilePath.Component(checksum) else { return }
        try OpenDirectory.make(places)
        let directory = try OpenDirectory(places, failPoint: failPoint)
        guard try directory.statusIfPresent(of: name, followingLinks: false) == nil else { return }
        try directory.replaceFile(name, with: bin.bytes, expecting: nil)
    }

    // MARK: - In

    /// Deletes a session: its directory is renamed into the bin.
    ///
    /// - Parameter writer: That of the session; notes it for `trace undo`.
    /// - Throws: ``FileError``; ``StoreError`` with `.otherSession` if another directory came in the place of the session. Then it is where
    ///   it was.
    /// - Note: Durable on return. Killed in between, the session is whole in the one place or the other.
    package func put(_ session: SessionTarget, by writer: SessionWriter, at now: Timestamp = Clock.now())
        throws
        -> Item
    {
        try writer.recorded(.deleteSession) { locked in
            let moved = try move(locked.directory, at: now)
            locked.recorder?.noteMoved(from: session.path, to: moved.path)
            return Item(
                path: moved.path, origin: moved.origin, deletedAt: moved.deletedAt, session: session.session)
        }
    }

    /// Renames a directory into the bin that is nearest.
    ///
    /// - Parameter directory: Locked.
    func move(_ directory: OpenDirectory, at now: Timestamp) throws -> Item {
        guard let path = PathCheck.resolved(directory.path), let name = path.lastComponent,
            try OpenDirectory(path).status().identity.isSameFile(as: directory.status().identity)
        else {
            throw StoreError(
                .otherSession, "is now a different directory", path: directory.path,
                cure: "another program replaced the directory; check \(verb: "sessions"), then try again")
        }
        if let root = roots.first(where: { PathCheck.resolved($0)?.lies(in: path) ?? false }) {
            throw FileError(
                .invalidData, "holds the root \(root.escaped), and can't be deleted", path: path,
                cure: "take the root out of the configuration first")
        }
        let parent = try OpenDirectory(path.containingDirectory, failPoint: failPoint)
        let root = roots.compactMap(PathCheck.resolved).filter { path.lies(in: $0) }.max {
            $0.bytes.count < $1.bytes.count
        }
        do throws(FileError) {
            return try move(name, directory, in: parent, to: root ?? parent.path, isInRoot: root != nil, now)
        } catch {
            // A file system of its own below the root: no rename leads out of it.
            guard root != nil, root != parent.path, error.errno == .improperLink else { throw error }
            return try move(name, directory, in: parent, to: parent.path, isInRoot: false, now)
        }
    }

    private func move(
        _ name: FilePath.Component, _ session: OpenDirectory, in parent: OpenDirectory, to holder: FilePath,
        isInRoot: Bool, _ now: Timestamp
    ) throws(FileError) -> Item {
        do {
            let path = holder.appending(JournalFinder.bin)
            if !isInRoot { try note(path) }
            try OpenDirectory.make(path)
            let bin = try OpenDirectory(holder, failPoint: failPoint).openDirectory(JournalFinder.bin)
            let origin = parent.path.appending(name)
            let relative = origin.bytes.dropFirst(holder.bytes.count).drop { $0 == UInt8(ascii: "/") }
            var moment = now.clamped
            for _ in 1...1000 {
                let entry = BinName(moment, name)
                guard let new = entry.component, let note = BinName.note(of: new) else { break }
                let old = try bin.statusIfPresent(of: note, followingLinks: false)
                if try old != nil || bin.statusIfPresent(of: new, followingLinks: false) != nil {
                    moment = moment.next ?? moment
                    continue
                }
                try bin.replaceFile(note, with: Array(relative), expecting: nil)
                do {
                    try parent.moveDirectory(name, to: new, in: bin)
                } catch {
                    _ = try? bin.remove([note])
                    throw error
                }
                // Between the look and the rename, another program may have put another directory there.
                guard
                    try bin.status(of: new, followingLinks: false).identity.isSameFile(
                        as: session.status().identity)
                else {
                    try bin.moveDirectory(new, to: name, in: parent)
                    throw FileError(
                        .changedMeanwhile, "is now a different directory", path: origin,
                        cure: "check \(verb: "sessions"), then try again")
                }
                return Item(path: bin.path(of: new), origin: origin, deletedAt: moment, session: Session())
            }
            throw FileError(.alreadyExists, "has no free name left", path: path, cure: "try again")
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError(.io, "\(error)", path: parent.path(of: name))
        }
    }

    // MARK: - Out

    /// Puts a session back where it was; under another name where that is taken.
    ///
    /// - Parameter log: Notes it for `trace undo`.
    /// - Returns: Where it is now.
    /// - Throws: ``FileError``: `.notFound` if it is not in the bin any more, `.sessionLocked`. Then it is where it was.
    /// - Note: Durable on return. Killed in between, the session is whole in the one place or the other.
    package func restore(_ item: Item, notingIn log: UndoLog? = nil) throws -> FilePath {
        let path = try DirectoryLock.holding(
            item.path, runtimeDirectory: runtimeDirectory, failPoint: failPoint
        ) { _ in
            try moveOut(item, to: item.origin)
        }
        log?.noteMove(.restoreSession, item.session.id, from: item.path, to: path)
        return path
    }

    /// Renames what is in the bin.
    ///
    /// - Parameter item: Locked.
    private func moveOut(_ item: Item, to wanted: FilePath) throws -> FilePath {
        guard let name = wanted.lastComponent else { throw FileError(.notFound, "has no name", path: wanted) }
        let bin = try OpenDirectory(item.path.containingDirectory, failPoint: failPoint)
        try OpenDirectory.make(wanted.containingDirectory)
        let parent = try OpenDirectory(wanted.containingDirectory, failPoint: failPoint)
        var number = 1
        while true {
            let suffix = number > 1 ? Array("-\(number)".utf8) : []
            let room = BinName.limit - suffix.count
            guard let new = FilePath.Component(bytes: name.bytes.prefix(room) + suffix) else {
                throw FileError(.invalidData, "is not a valid directory name", path: wanted)
            }
            do {
                try bin.moveDirectory(item.name, to: new, in: parent)
            } catch let error as FileError where error.code == .alreadyExists && number < 1000 {
                number += 1
                continue
            }
            if let note = BinName.note(of: item.name) { _ = try? bin.remove([note]) }
            return parent.path(of: new)
        }
    }
}

extension OpenDirectory {
    /// Gives a directory another name, which must be free, in this directory or another one of the file system; durable on return.
    func moveDirectory(
        _ name: FilePath.Component, to newName: FilePath.Component, in destination: OpenDirectory
    ) throws {
        try explaining("move to \(destination.path(of: newName).escaped)", path(of: name)) {
            () throws(Errno) in
            try reach(.rename, name)
            try moveWithoutReplacing(name, to: newName, in: destination)
            try destination.sync()
            try sync()
        }
    }
}

/// The name of a session in the bin: when it was deleted, and what it was called, `2026-02-04T20-54-41.000Z-late-set`.
struct BinName {
    let moment: Timestamp
    let name: FilePath.Component

    /// Longer names does no file system of ours have, in bytes.
    static let limit = 255
    /// Of the moment, with the hyphen behind it.
    private static let prefix = 25
    private static let suffix = Array(".from".utf8)

    init(_ moment: Timestamp, _ name: FilePath.Component) {
        self.moment = moment
        self.name = name
    }

    /// - Returns: Nil if it is no such name.
    init?(_ entry: FilePath.Component) {
        let bytes = entry.bytes
        guard bytes.count > Self.prefix, bytes[Self.prefix - 1] == UInt8(ascii: "-"),
            let name = FilePath.Component(bytes: bytes[Self.prefix...])
        else { return nil }
        var text = Array(bytes[..<(Self.prefix - 1)])
        for place in [13, 16] where text[place] == UInt8(ascii: "-") { text[place] = UInt8(ascii: ":") }
        guard let moment = Timestamp(String(decoding: text, as: UTF8.self)) else { return nil }
        self.init(moment, name)
    }

    /// As the kernel takes it: a long name is cut, and stands whole in the note.
    var component: FilePath.Component? {
        let moment = moment.description.map { $0 == ":" ? "-" : $0 }
        let room = Self.limit - Self.prefix - Self.suffix.count
        return FilePath.Component(
            bytes: Array(String(moment).utf8) + [UInt8(ascii: "-")] + name.bytes.prefix(room))
    }

    /// The file beside an entry that says where it was.
    static func note(of entry: FilePath.Component) -> FilePath.Component? {
        FilePath.Component(bytes: entry.bytes + suffix)
    }

    /// The entry that a note is of; nil if the name is no note's.
    static func entry(ofNote name: FilePath.Component) -> FilePath.Component? {
        guard name.bytes.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        return FilePath.Component(bytes: name.bytes.dropLast(suffix.count))
    }
}

extension WriteRecorder {
    /// Nothing is noted of paths that are not UTF-8.
    fileprivate func noteMoved(from old: FilePath, to new: FilePath) {
        if let change = UndoableWrite.Change(from: old, to: new) { add(change) }
    }
}

extension UndoableWrite.Change {
    fileprivate init?(from old: FilePath, to new: FilePath) {
        guard String(validating: old.bytes, as: UTF8.self) != nil,
            String(validating: new.bytes, as: UTF8.self) != nil
        else { return nil }
        self = .moved(from: old.string, to: new.string)
    }
}

extension UndoLog {
    /// Notes that a session was moved, unless a path is not UTF-8.
    fileprivate func noteMove(
        _ operation: UndoableWrite.Operation, _ id: ULID?, from old: FilePath, to new: FilePath
    ) {
        guard let change = UndoableWrite.Change(from: old, to: new) else { return }
        note(
            UndoableWrite(
                id: IDGenerator.next(), time: Clock.now(), user: UInt32(geteuid()), operation: operation,
                sessionID: id, session: new, command: command, changes: [change]))
    }
}
