internal import Journals
internal import RecordFormat
internal import Synchronization
package import SystemPackage
internal import TraceFiles
package import TraceStore

/// The readings of journals that were asked lately, each kept as long as the files of its journal stay as they were: the next question reads
/// nothing that one before it has read.
///
/// It holds no truth of its own. A reading is lent to one thread at a time; who comes meanwhile reads the files again.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package final class OpenedJournals: Sendable {
    private let state = Mutex(State())

    /// How many bytes the files of all kept readings have together, at most.
    private static let capacity: Int64 = 32 << 20
    private let rest: Duration
    /// How often a journal is read that changes while it is asked.
    private static let attempts = 3

    private struct State {
        var kept: [FilePath: Kept] = [:]
        var uses: UInt64 = 0

        var size: Int64 { kept.values.reduce(0) { $0 + $1.files.size } }
    }

    private struct Kept {
        let reading: Reading
        let files: JournalState
        let lastUse: UInt64
    }

    /// Sound: a reading is in the table, or with the one thread that took it out of there.
    private final class Reading: @unchecked Sendable {
        let journal: any OpenedJournal

        init(_ journal: any OpenedJournal) { self.journal = journal }
    }

    /// - Parameter rest: How long files must have rested, so that a later change gives them another identity.
    package init(rest: Duration = .milliseconds(50)) { self.rest = rest }

    /// Asks the journal in a directory. The answer is of files that were there together, unless they keep changing.
    ///
    /// - Parameter body: May be called again.
    /// - Throws: ``StoreError`` if journals of the kind can't be asked; ``FileError``; what `body` throws.
    package func ask<Result>(
        _ path: FilePath, of format: any JournalFormat, _ asking: Asking,
        _ body: (any OpenedJournal) throws -> Result
    ) throws -> Result {
        guard let type = format.opened else { throw StoreError.notAsked(format, path) }
        for attempt in 1... {
            let before = try Self.state(of: path, format)
            let reading = try take(path, before) ?? Reading(type.init(path, asking))
            reading.journal.asking = asking
            let answer = Swift.Result { try body(reading.journal) }
            // What was read while the files changed may be of two states.
            let after = try Self.state(of: path, format)
            guard after == before else {
                if attempt < Self.attempts { continue }
                return try answer.get()
            }
            if before.hasRested(for: rest) { keep(reading, path, before) }
            return try answer.get()
        }
        throw StoreError.notAsked(format, path)
    }

    /// The files of a journal as they are now; nil while one of them has not rested, for then a later change may leave the same state.
    ///
    /// - Throws: ``FileError``.
    package func files(of path: FilePath, _ format: any JournalFormat) throws -> JournalState? {
        let state = try Self.state(of: path, format)
        return state.hasRested(for: rest) ? state : nil
    }

    private static func state(of path: FilePath, _ format: any JournalFormat) throws -> JournalState {
        let single =
            Journals.all.isSingleFile(at: path)
            ? try Journals.all.snapshot(at: path, settleTime: .zero) : nil
        return JournalState(
            try single ?? JournalSnapshot(OpenDirectory(path), as: format, settleTime: .zero))
    }

    /// A reading of these files; nil if none is kept, or somebody else has it.
    private func take(_ path: FilePath, _ files: JournalState) -> Reading? {
        state.withLock { state in
            guard let kept = state.kept.removeValue(forKey: path), kept.files == files else { return nil }
            return kept.reading
        }
    }

    private func keep(_ reading: Reading, _ path: FilePath, _ files: JournalState) {
        guard files.size <= Self.capacity else { return }
        state.withLock { state in
            state.uses += 1
            state.kept[path] = Kept(reading: reading, files: files, lastUse: state.uses)
            while state.size > Self.capacity,
                let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.kept[oldest.key] = nil
            }
        }
    }
}

extension StoreError {
    fileprivate static func notAsked(_ format: any JournalFormat, _ path: FilePath) -> StoreError {
        StoreError(
            .noSuchSession, "journals of the kind '\(format.layout.kind)' are asked in another way",
            path: path)
    }
}
