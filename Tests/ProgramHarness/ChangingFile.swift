package import Foundation
internal import Glibc
internal import Synchronization

/// A file that is replaced again and again, as fast as can be, by another one each time; until ``stop()``.
package final class ChangingFile: Sendable {
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// - Parameter contents: Of the first, the second, …
    package init(_ path: URL, _ contents: @escaping @Sendable (Int) -> String) {
        let new = path.deletingLastPathComponent().appending(path: "being-written")
        let thread = Thread { [self] in
            var number = 0
            while !isOver.load(ordering: .relaxed) {
                number += 1
                try? Data(contents(number).utf8).write(to: new)
                rename(new.path, path.path)
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
