internal import Glibc
public import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension SessionWriter {
    /// Makes the directory of a new, active session.
    ///
    /// Everything is written into a directory beside the target that gets its name when it is whole, so that a session is
    /// there completely or not at all.
    ///
    /// - Parameters:
    ///   - path: Must not exist; its parent must.
    ///   - id: The session's; no other session may have it.
    ///   - start: When the recording began.
    ///   - created: When the session is made; at its start where left out.
    ///   - runtimeDirectory: Where locks go for file systems that can't lock a directory.
    /// - Returns: The session's id.
    /// - Throws: ``FileError`` with `.alreadyExists`, `.notFound` for the parent, `.diskFull`, `.permissionDenied`.
    /// - Note: Durable on return. Killed in between, a directory `.<name>.trace-new` may be left beside the target, which
    ///   the next attempt of the same name removes.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    @discardableResult
    public static func create(
        at path: FilePath, id: ULID = IDGenerator.next(), title: String = "", start: Timestamp = Clock.now(),
        created: Timestamp? = nil,
        runtimeDirectory: FilePath? = nil
    ) throws -> ULID {
        guard let name = path.lastComponent else {
            throw FileError(.invalidData, "is not a valid directory name", path: path)
        }
        // Locked, so that two attempts at one name don't take each other's half-made directory for a leftover.
        let lock = try DirectoryLock(path.containingDirectory, runtimeDirectory: runtimeDirectory)
        defer { withExtendedLifetime(lock) {} }
        let parent = lock.directory
        guard try parent.statusIfPresent(of: name, followingLinks: false) == nil else {
            throw FileError(
                .alreadyExists, "target already exists", path: path,
                cure: "choose another name, or use the existing session")
        }
        let staging = try parent.makeStaging(for: name)
        do {
            try staging.directory.fillNewSession(
                id: id, title: title, start: start, created: created ?? start)
            try parent.rename(staging.name, toNew: name)
        } catch {
            parent.removeStaging(staging.name)
            throw error
        }
        return id
    }
}

extension OpenDirectory {
    fileprivate func makeStaging(for name: FilePath.Component) throws -> (
        name: FilePath.Component, directory: OpenDirectory
    ) {
        guard let staging = FilePath.Component(bytes: [UInt8(ascii: ".")] + name.bytes + ".trace-new".utf8)
        else {
            throw FileError(.invalidData, "is not a valid directory name", path: path(of: name))
        }
        removeStaging(staging)
        try makeDirectory(staging)
        return (staging, try openDirectory(staging))
    }

    fileprivate func makeDirectory(_ name: FilePath.Component) throws {
        try explaining("create the directory", path(of: name)) { () throws(Errno) in
            _ = try withDescriptor { descriptor throws(Errno) in
                try retrying { name.withPlatformString { mkdirat(descriptor, $0, 0o777) } }
            }
            share(directory: name)
        }
    }

    /// Removes what an attempt has made; a name that is missing is well.
    fileprivate func removeStaging(_ name: FilePath.Component) {
        if let staging = try? openDirectory(name) {
            for file in [RecordKind.session, .timeline, .marker] { try? staging.unlink(file.component) }
            staging.removeDirectory("media")
        }
        removeDirectory(name)
    }

    private func removeDirectory(_ name: FilePath.Component) {
        withDescriptor { descriptor in
            _ = name.withPlatformString { unlinkat(descriptor, $0, AT_REMOVEDIR) }
        }
    }

    fileprivate func fillNewSession(
        id: ULID, title: String, start: Timestamp, created: Timestamp
    ) throws {
        let entry = TimelineEntry(
            id: IDGenerator.next(), kind: .sessionStart, offset: .zero, wallTime: start, createdAt: created)
        try makeDirectory("media")
        try replaceFile(RecordKind.timeline.component, with: entry.json.bytes + [0x0A], expecting: nil)
        try replaceFile(RecordKind.marker.component, with: [], expecting: nil)
        let header = Session.newHeader(id: id, title: title, start: start, created: created)
        try replaceFile(RecordKind.session.component, with: header, expecting: nil)
    }

    /// Renames a directory to a name that must not be taken, and makes that durable.
    fileprivate func rename(_ name: FilePath.Component, toNew newName: FilePath.Component) throws {
        try explaining("create the directory", path(of: newName)) { () throws(Errno) in
            try moveWithoutReplacing(name, to: newName, in: self)
            try sync()
        }
    }
}

extension Session {
    /// `session.json` as it is at creation: pretty-printed with two spaces, as existing writers do.
    fileprivate static func newHeader(
        id: ULID, title: String, start: Timestamp, created: Timestamp
    ) -> [UInt8] {
        let members: [(String, JSONText)] = [
            ("id", JSONText(id)), ("title", JSONText(title)), ("created_at", JSONText(created)),
            ("updated_at", JSONText(created)), ("status", JSONText(Session.Status.active.rawValue)),
            ("start_time", JSONText(start)), ("timeline_path", JSONText(RecordKind.timeline.fileName)),
            ("markers_path", JSONText(RecordKind.marker.fileName)), ("transcript_path", .null),
            ("voice_notes_path", .null), ("digest_path", .null), ("media", .array([])),
        ]
        let lines = members.map { "  \"\($0.0)\": \(String(decoding: $0.1.bytes, as: UTF8.self))" }
        return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
    }
}
