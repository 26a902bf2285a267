internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceText

/// The record of a run that this process has begun, in `running/` of the state directory.
///
/// It is locked (`flock`) as long as the process lives, however it ends; so a record without a lock is that
/// of an interrupted run, and neither a crash nor a process number that is used again can deceive.
package final class RunningAction {
    private let file: TemporaryFile
    private let name: FilePath.Component
    private let directory: OpenDirectory

    /// Where the records lie.
    private static func directory(in state: FilePath) -> FilePath { state.appending("running") }

    /// Notes that a run begins.
    ///
    /// - Throws: ``StoreError`` with `.alreadyRunning` if the same run is under way.
    /// - Note: Durable on return.
    init(_ id: ULID, of session: FilePath, state: FilePath) throws {
        let path = Self.directory(in: state)
        try OpenDirectory.make(path)
        directory = try OpenDirectory(path)
        guard let name = FilePath.Component("\(id).json") else {
            throw FileError(.invalidData, "is not a valid name", path: path)
        }
        self.name = name
        let text = JSONText.object { object in
            object.member("id", JSONText(id))
            // Bytes in hexadecimal: a path need not be UTF-8.
            object.member("session_bytes", JSONText(hexadecimal(session.bytes)))
            object.member("session", JSONText(session.escaped))
            object.member("pid", JSONText(Int64(getpid())))
            object.member("since", JSONText(Clock.now()))
        }
        var file = try TemporaryFile(TemporaryFile.name(for: name), in: directory, permissions: 0o600)
        do throws(Errno) {
            var rest = text.bytes[...]
            while !rest.isEmpty { rest = rest.dropFirst(try file.file.writeOnce(Array(rest))) }
            try file.file.sync()
            try file.placeAsNew(name)
            try directory.sync()
        } catch {
            if error == .fileExists {
                throw StoreError(
                    .alreadyRunning, "the run \(id) is in progress", path: path.appending(name),
                    cure: "wait until it ends")
            }
            throw FileError("record the run", path.appending(name), error)
        }
        self.file = file
    }

    /// Removes the record of a run whose end is in the session.
    func finish() { _ = try? directory.unlink(name) }

    /// The ids of the runs that are under way.
    package static func living(in state: FilePath) -> Set<ULID> {
        guard let directory = try? OpenDirectory(directory(in: state)) else { return [] }
        return Set(ids(in: directory).filter { leftover($0, in: directory) == nil })
    }

    /// Whether a run is under way; so is one whose record this user may not look into.
    ///
    /// - Throws: ``FileError`` if the records can't be looked at.
    static func isLiving(_ id: ULID, in state: FilePath) throws -> Bool {
        let directory: OpenDirectory
        do { directory = try OpenDirectory(self.directory(in: state)) } catch let error as FileError
            where error.code == .notFound
        { return false }
        guard let name = FilePath.Component("\(id).json"),
            try directory.statusIfPresent(of: name, followingLinks: false) != nil
        else { return false }
        return leftover(id, in: directory) == nil
    }

    /// Marks the runs as failed whose process is gone.
    ///
    /// - Parameter only: The one run that is looked at; nil for all.
    /// - Returns: Their ids. A run whose session is not available now stays for the next time.
    package static func failInterrupted(
        _ only: ULID? = nil, in state: FilePath, runtimeDirectory: FilePath? = nil
    ) -> [(id: ULID, session: FilePath, problem: (any StructuredError)?)] {
        guard let directory = try? OpenDirectory(directory(in: state)) else { return [] }
        var failed: [(id: ULID, session: FilePath, problem: (any StructuredError)?)] = []
        for id in only.map({ [$0] }) ?? ids(in: directory) {
            // Locked until it is gone, so that no two do this at once.
            guard let name = FilePath.Component("\(id).json"), let file = leftover(id, in: directory),
                let session = session(in: file)
            else { continue }
            do {
                let isMarked = try ActionLog(session, runtimeDirectory: runtimeDirectory).end(
                    id,
                    with: .failed("interrupted: the process that ran it ended before the result was known"))
                _ = try? directory.unlink(name)
                if isMarked { failed.append((id, session, nil)) }
            } catch {
                failed.append((id, session, error.structured))
            }
        }
        return failed
    }

    private static func ids(in directory: OpenDirectory) -> [ULID] {
        var ids: [ULID] = []
        try? directory.forEachName { name in
            if let id = Spool.id(inName: name) { ids.append(id) }
        }
        return ids.sorted()
    }

    /// The record, locked, if nobody holds it.
    private static func leftover(_ id: ULID, in directory: OpenDirectory) -> OpenFile? {
        guard let name = FilePath.Component("\(id).json"),
            let file = try? directory.openFile(name, O_RDONLY | O_NONBLOCK), (try? file.tryLock()) == true,
            directory.isNamed(name, file)
        else { return nil }
        return file
    }

    private static func session(in file: borrowing OpenFile) -> FilePath? {
        guard let bytes = try? file.bytes(at: 0, count: 1 << 16) else { return nil }
        let spelled = (try? JSONParser().withParsed(bytes) { $0[name: "session_bytes"]?.string }) ?? nil
        return spelled.flatMap { FilePath(hexadecimal: $0) }
    }
}
