internal import Synchronization
package import TraceFiles
internal import TraceText

/// The ledger of a state directory, kept in memory from one use to the next, so that each costs what was added since.
///
/// Before each use the file's identity is compared: one that only grew is read from where the last reading ended; another, or one
/// that is shorter, is read whole. One is shared by all that use a state directory in a process. Nothing is wrong with one
/// that is used for another directory, but that is read whole then.
package final class LedgerMemory: Sendable {
    private struct State {
        var contents = LedgerContents.empty
        /// How far it was read; nil if there was no file.
        var reading: LedgerReading?
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body` with what the ledger of a state directory says now. Nobody else of this process asks meanwhile, so that
    /// it should be short.
    ///
    /// - Throws: ``FileError`` if the ledger can't be read, `.changedMeanwhile` if another program keeps rewriting it; what
    ///   `body` throws.
    /// - Complexity: O(what was added since the last time).
    package func read<Result>(
        in directory: OpenDirectory, _ body: (LedgerContents) throws -> Result
    ) throws -> Result {
        var result: Result?
        try state.withLock { state in
            try Self.bringUpToDate(&state, in: directory)
            result = try body(state.contents)
        }
        guard let result else { throw FileError(.io, "the ledger was not read") }
        return result
    }

    /// What it said when it was read last.
    var contents: LedgerContents { state.withLock { $0.contents } }

    /// Notes what was added: the next use finds it in the file, and reads it once more.
    func note(_ lines: [Ledger.Line]) {
        state.withLock { state in for line in lines { line.note(in: &state.contents) } }
    }

    private static func bringUpToDate(_ state: inout State, in directory: OpenDirectory) throws {
        var retry = RetryDeadline(timeout: .milliseconds(40))
        repeat {
            guard let file = try LedgerFile(in: directory) else {
                state = State()
                return
            }
            if let reading = state.reading, reading.isCurrent(file) { return }
            if try state.reading?.isPrefix(of: file) != true { state = State() }
            let isWhole = state.reading == nil
            state.reading = try file.read(after: state.reading, into: &state.contents)
            // Tests count the readings of the whole; how often its end is looked at depends on the clock.
            if isWhole { try file.reach(.verify, in: directory) }
            if try file.hasOnlyGrown { return }
            // Half of it may be from before an edit.
            state = State()
        } while retry.pause()
        throw FileError(
            .changedMeanwhile, "kept changing while it was read",
            path: directory.path(of: LedgerContents.file),
            cure: "wait until the program that writes it has finished, then try again")
    }
}
