internal import Glibc
internal import RecordFormat
internal import Synchronization
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Audio that is coming: what has come is appended, and stays when the connection breaks.
///
/// One at a time has the part of an id: it is locked for as long as this lives.
package final class PartialUpload: Sendable {
    let id: ULID
    package let description: UploadDescription
    private let directory: OpenDirectory
    private let file: OpenFile
    private let allowance: UploadAllowance
    private let state: Mutex<State>

    private struct State {
        var size: Int64
        /// How much of it a power cut may take back.
        var unsynced: Int64 = 0
    }

    /// After so many bytes they are made durable.
    private static let syncInterval: Int64 = 1 << 20

    /// - Parameter isNew: Whether it begins with nothing, durably, so that nothing of an earlier one is taken for a part of it.
    /// - Throws: ``FileError``; `.sessionLocked` while another has it.
    init(
        _ id: ULID, _ description: UploadDescription, in directory: OpenDirectory,
        _ allowance: UploadAllowance, isNew: Bool
    ) throws {
        self.id = id
        self.allowance = allowance
        self.description = description
        self.directory = directory
        let name = try id.partName
        let path = directory.path(of: name)
        let opened = try explaining("open for appending", path) { () throws(Errno) in
            try directory.openFile(
                name, O_RDWR | O_APPEND | O_NONBLOCK | (isNew ? O_CREAT : 0), permissions: 0o660)
        }
        let status = try opened.regularStatus(at: path)
        let isFree = try explaining("lock", path) { () throws(Errno) in try opened.lockIfPossible() }
        guard isFree, directory.isNamed(name, opened) else {
            throw FileError(
                .sessionLocked, "is being sent by another request", path: path,
                cure: "wait until that one has ended")
        }
        state = Mutex(State(size: isNew ? 0 : status.identity.size))
        file = opened
        guard isNew else { return }
        try explaining("truncate", path) { () throws(Errno) in
            if status.identity.size > 0 {
                try file.truncate(to: 0)
                try file.sync()
            }
            try directory.sync()
        }
    }

    /// How many bytes have come so far.
    package var size: Int64 { state.withLock { $0.size } }

    /// Appends bytes; every megabyte is made durable.
    ///
    /// - Throws: ``MediaError`` with `.uploadsFull`; ``FileError`` with `.diskFull`, `.fileTooLarge` or `.io`; what was written of them counts as having come.
    package func append(_ bytes: [UInt8]) throws {
        try allowance.take(bytes.count) {
            try state.withLock { state in
                try explaining("append to", path) { () throws(Errno) in
                    var rest = bytes[...]
                    while !rest.isEmpty {
                        try directory.reach(.write, try? id.partName)
                        let count = try file.writeOnce(Array(rest))
                        state.size += Int64(count)
                        state.unsynced += Int64(count)
                        rest = rest.dropFirst(count)
                    }
                    if state.unsynced >= Self.syncInterval { try sync(&state) }
                }
            }
        }
    }

    /// Makes durable what has come: its sender may continue from there.
    ///
    /// - Throws: ``FileError``.
    package func makeDurable() throws {
        try state.withLock { state in
            try explaining("make durable", path) { () throws(Errno) in try sync(&state) }
        }
    }

    private func sync(_ state: inout State) throws(Errno) {
        guard state.unsynced > 0 else { return }
        try directory.reach(.sync, try? id.partName)
        try file.syncData()
        state.unsynced = 0
    }

    /// Where it is.
    package var path: FilePath { directory.path.appending("\(id).part") }

    /// Its first bytes, by which its container is known.
    ///
    /// - Throws: ``FileError``.
    package func container() throws -> AudioContainer? {
        try explaining("read", path) { () throws(Errno) in
            AudioContainer(try file.bytes(at: 0, count: AudioContainer.neededLength))
        }
    }

    /// The SHA-256 of what has come.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size).
    package func sha256() throws -> String {
        try explaining("read", path) { () throws(Errno) in try file.sha256() }
    }

    /// Keeps it as whole: it waits for its record from now on.
    ///
    /// - Throws: ``FileError``; `.alreadyExists` if other audio of the id waits.
    /// - Note: Durable on return. Killed in between, it is a part of which nothing is missing.
    package func keepWhole(_ container: AudioContainer) throws -> WholeUpload {
        let (part, name) = (try id.partName, try id.name(container))
        try makeDurable()
        do throws(Errno) {
            try directory.reach(.rename, name)
            try directory.moveWithoutReplacing(part, to: name, in: directory)
            try directory.sync()
        } catch {
            guard error == .fileExists else { throw FileError("rename the upload to", path, error) }
            throw FileError(.alreadyExists, "other audio of this id waits", path: directory.path(of: name))
        }
        return WholeUpload(
            id: id, path: directory.path(of: name), size: size, container: container,
            sessionID: description.sessionID)
    }

    /// Throws away what has come; audio of the id that is whole stays.
    ///
    /// - Throws: ``FileError``.
    package func discard() throws {
        let isWhole = try AudioContainer.allCases.contains { container in
            try directory.statusIfPresent(of: id.name(container), followingLinks: false) != nil
        }
        try directory.remove([id.partName] + (isWhole ? [] : [id.descriptionName]))
    }
}
