internal import Glibc
package import SystemPackage
internal import TraceText

/// The exclusive right to append to one file, against every other process and thread that asks for it here.
///
/// For a file that several writers share which hold the locks of *different* directories: it is taken last, held for one append,
/// and nobody who holds it takes another. The lock is `flock` on the file itself, so that nothing is there beside it. On a file
/// system without `flock` nobody is kept out: an append holds against writers without a lock too
/// (``DirectoryLock/appendLine(_:to:isDurable:attempts:isWholeRecord:isOurs:)``).
///
/// Crash: the kernel drops the lock with the process. A file that was made for it stays, empty.
///
/// Source: flock(2).
package final class FileLock: Sendable {
    private let directory: OpenDirectory
    private let name: FilePath.Component
    private let file: OpenFile

    /// Waits for the lock of a file, which is made where it is missing. A symbolic link is followed.
    ///
    /// - Parameter timeout: How long to wait; zero tries once.
    /// - Throws: ``FileError`` with `.sessionLocked` after the timeout, `.notRegularFile` for a pipe or directory, or why it
    ///   can't be opened.
    package init(_ name: FilePath.Component, in directory: OpenDirectory, timeout: Duration) throws {
        var retry = RetryDeadline(timeout: timeout)
        while true {
            let place = try directory.finalPlace(of: name)
            let file = try explaining("open", place.path) { () throws(Errno) in try Self.open(place) }
            _ = try file.regularStatus(at: place.path)
            let isLocked = try explaining("lock", place.path) { () throws(Errno) in
                try file.lockIfPossible()
            }
            // Before the lock, another program may have put another file in its place.
            if isLocked, place.directory.isNamed(place.name, file) {
                self.directory = directory
                self.name = name
                self.file = file
                return
            }
            guard retry.pause() else {
                throw FileError(
                    .sessionLocked, "is being written by another process, and still was after \(timeout)",
                    path: place.path,
                    cure: "wait for that process to finish (fuser -v shows which one it is), then try again")
            }
        }
    }

    // By hand, for the reason that ``DirectoryLock`` gives.
    deinit { _ = flock(file.descriptor, LOCK_UN) }

    private static func open(_ place: FilePlace) throws(Errno) -> OpenFile {
        while true {
            do throws(Errno) {
                return try place.directory.openFile(place.name, O_RDONLY | O_NONBLOCK)
            } catch { if error != .noSuchFileOrDirectory { throw error } }
            do throws(Errno) {
                return try place.directory.openFile(
                    place.name, O_RDWR | O_CREAT | O_EXCL, permissions: 0o666)
            } catch { if error != .fileExists { throw error } }
        }
    }

    /// Appends lines in one `write`, with one sync.
    ///
    /// - Parameters:
    ///   - lines: So many lines, each with its newline.
    ///   - isDurable: Whether they are synced; if not, a power cut may take them back.
    ///   - isWholeRecord: Whether the bytes of an unfinished last line are a whole record.
    /// - Throws, Note: As ``DirectoryLock/appendLines(_:count:to:attempts:isWholeRecord:isOurs:)``.
    @discardableResult
    package func append(
        _ lines: [UInt8], count: Int, isDurable: Bool = true, attempts: Int = 5,
        isWholeRecord: ([UInt8]) -> Bool, isOurs: @escaping (ArraySlice<UInt8>) -> Bool
    ) throws -> AppendedLine {
        defer { withExtendedLifetime(self) {} }
        return try directory.append(
            lines, count: count, to: name, isDurable: isDurable, attempts: attempts,
            isWholeRecord: isWholeRecord, isOurs: isOurs)
    }
}
