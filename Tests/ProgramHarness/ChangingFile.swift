package import Foundation
internal import Glibc
internal import Synchronization

/// A file that is replaced again and again, as fast as can be, by another one each time; until ``stop()``.
package final class ChangingFile: Sendable {
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter contents: Of the first, the second, …
    /// - Throws: If they can't be written.
    package init(_ path: URL, _ contents: (Int) -> String) throws {
        // They are on the disk before they begin to change places, which costs it nothing: a slow one would make each of many new files wait.
        let directory = path.deletingLastPathComponent()
        let new = directory.appending(path: "being-written")
        // Of so many that who looks twice within a tick of the file system's clock hardly finds the same one again.
        let files = try (1...32).map { number in
            let file = directory.appending(path: "written-\(number)")
            try Data(contents(number).utf8).write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.synchronize()
            try handle.close()
            return file.path
        }
        let thread = Thread { [self] in
            // On a busy machine a program that looks would else come to its end while this waits for its turn. Needs a right that root has.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
            while !isOver.load(ordering: .relaxed) {
                for file in files {
                    link(file, new.path)
                    rename(new.path, path.path)
                }
            }
            hasEnded.signal()
        }
        thread.start()
    }

    /// Returns when the file stays as it is.
    package func stop() {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        hasEnded.wait()
    }
}
