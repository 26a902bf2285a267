internal import Glibc
package import SystemPackage
internal import TraceText

extension OpenDirectory {
    /// Replaces the contents of a file in one step: readers see all of the old or all of the new. A symbolic
    /// link is followed and stays a link; what is replaced is the file that it leads to.
    ///
    /// The new contents are written to a temporary file beside the old one, get its permissions and, where
    /// the user may do that, its owner and group, and are durable before the name moves over. A new file gets
    /// 0666 without the umask. Extended attributes and further hard links of the old file are not carried
    /// over.
    ///
    /// - Parameters:
    ///   - expected: The identity that the file had when the caller read it, nil if it did not exist.
    ///     The caller's contents rest on that state, so if the file is any other now, nothing is written.
    ///   - followsLink: Whether a link is followed; if not, one is refused with `.notRegularFile`.
    /// - Returns: The identity of the new file.
    /// - Throws: ``FileError``. `.changedMeanwhile`: start over from a fresh read. `.diskFull`,
    ///   `.fileTooLarge`, `.readOnly`, `.permissionDenied`, `.notRegularFile`, `.sessionLocked` (another
    ///   process is replacing the same file): the old file is untouched and the temporary one removed. `.io`:
    ///   likewise, unless it is the last step that failed, making the directory durable: then the new
    ///   contents are in place, but a power cut may bring back the old.
    /// - Note: Durable on return. Killed in between, or after a power cut, the name has the old contents or
    ///   the new ones, whole; a temporary file may be left, which the next call or
    ///   ``DirectoryLock/removeLeftovers()`` removes. A program that writes to the old file without a lock,
    ///   between the last comparison and the rename, loses what it wrote.
    ///
    /// Source: docs/durability.md#replace; rename(2), fsync(2).
    @discardableResult
    package func replaceFile(
        _ name: FilePath.Component, with contents: [UInt8], expecting expected: FileIdentity?,
        followsLink: Bool = true
    ) throws -> FileIdentity {
        let place = followsLink ? try finalPlace(of: name) : FilePlace(directory: self, name: name)
        let old = try place.directory.statusIfPresent(of: place.name, followingLinks: false)
        try old?.requireRegularFile(at: place.path)
        guard old?.identity == expected else { throw Self.changed(place) }

        var temporary = try TemporaryFile(
            TemporaryFile.name(for: place.name), in: place.directory,
            permissions: old == nil ? 0o666 : 0o600)
        try explaining("write", place.path) { () throws(Errno) in
            try reach(.write, name)
            // Sound: the array lends its elements for the length of the call.
            var failure: Errno?
            contents.withUnsafeBytes { bytes in
                do throws(Errno) { try temporary.file.writeAll(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            if let old { try temporary.file.takeAttributes(of: old) }
        }
        try explaining("make durable", place.path) { () throws(Errno) in
            try reach(.sync, name)
            try temporary.file.sync()
        }
        return try Self.place(&temporary, at: place, instead: expected)
    }

    /// The last steps: compares once more, renames, and makes the rename durable.
    private static func place(
        _ temporary: inout TemporaryFile, at place: FilePlace, instead expected: FileIdentity?
    ) throws -> FileIdentity {
        try explaining("compare with the file", place.path) { () throws(Errno) in
            try place.directory.reach(.compare, place.name)
        }
        let current = try place.directory.statusIfPresent(of: place.name, followingLinks: false)
        guard current?.identity == expected else { throw changed(place) }
        do throws(Errno) {
            if expected == nil {
                try temporary.placeAsNew(place.name)
            } else {
                try temporary.place(as: place.name)
            }
        } catch {
            if expected == nil, error == .fileExists { throw changed(place) }
            throw FileError("rename the new file to", place.path, error)
        }
        return try explaining("make durable", place.path) { () throws(Errno) in
            try place.directory.sync()
            return try temporary.file.status().identity
        }
    }

    private static func changed(_ place: FilePlace) -> FileError {
        FileError(
            .changedMeanwhile, "is no longer the file that was read", path: place.path,
            cure: "read it again and repeat the change")
    }
}

extension OpenFile {
    /// Takes over permissions and, where the user may, owner and group.
    func takeAttributes(of old: FileStatus) throws(Errno) {
        let own = try status()
        if own.owner != old.owner || own.group != old.group {
            // Only root may give a file away; a user may still choose among their groups (chown(2)).
            if fchown(descriptor, old.owner, old.group) != 0 {
                _ = fchown(descriptor, uid_t.max, old.group)
            }
        }
        // After the owner: a change of owner clears the set-user-ID bits.
        _ = try retrying { fchmod(descriptor, mode_t(old.permissions)) }
    }
}
