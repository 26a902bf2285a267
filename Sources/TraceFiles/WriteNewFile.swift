internal import Glibc
package import SystemPackage
internal import TraceText

extension OpenDirectory {
    /// Writes a file piece by piece; its name gets the whole of it, or stays as it was.
    ///
    /// - Parameters:
    ///   - isReplacing: Whether a file of that name may be replaced; a symbolic link is followed then.
    ///   - body: Hands the pieces to the closure that it is given.
    /// - Throws: ``FileError``. `.alreadyExists`: the name is taken. `.diskFull`, `.fileTooLarge`, `.readOnly`,
    ///   `.permissionDenied`, `.notRegularFile`, `.io`; what `body` throws. There is nothing new in the directory then.
    /// - Note: Durable on return. Killed in between, a temporary file may be left, which the next call removes.
    package func writeFile(
        _ name: FilePath.Component, isReplacing: Bool, _ body: (([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let place = try finalPlace(of: name)
        let old = try place.directory.statusIfPresent(of: place.name, followingLinks: false)
        if old != nil, !isReplacing { throw Self.isTaken(place) }
        try old?.requireRegularFile(at: place.path)
        var temporary = try TemporaryFile(
            TemporaryFile.name(for: place.name), in: place.directory, permissions: 0o666)
        try body { piece in
            try explaining("write", place.path) { () throws(Errno) in
                var failure: Errno?
                // Sound: the array lends its elements for the length of the call.
                piece.withUnsafeBytes { bytes in
                    do throws(Errno) { try temporary.file.writeAll(bytes) } catch { failure = error }
                }
                if let failure { throw failure }
            }
        }
        if let old {
            try explaining("write", place.path) { () throws(Errno) in
                try temporary.file.takeAttributes(of: old)
            }
        }
        try explaining("make durable", place.path) { () throws(Errno) in try temporary.file.sync() }
        do throws(Errno) {
            if old == nil {
                try temporary.placeAsNew(place.name)
            } else {
                try temporary.place(as: place.name)
            }
        } catch {
            if error == .fileExists { throw Self.isTaken(place) }
            throw FileError("rename the new file to", place.path, error)
        }
        try explaining("make durable", place.path) { () throws(Errno) in try place.directory.sync() }
    }

    private static func isTaken(_ place: FilePlace) -> FileError {
        FileError(
            .alreadyExists, "already exists", path: place.path,
            cure: "choose another file, or replace it with \(option: "force")")
    }
}
