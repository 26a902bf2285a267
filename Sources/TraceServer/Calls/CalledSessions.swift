internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceAccess
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The sessions that were found by their handles lately, so that the next request for one asks the file system whether anything has
/// changed, and SQLite nothing.
///
/// It holds no truth of its own: what it keeps is only used while the files of the session, and those of the index, are as they were
/// when the index was found to be right about the session.
final class CalledSessions: Sendable {
    private let state = Mutex<[Key: Entry]>([:])

    /// How many are kept; with more, all of them are dropped.
    private static let capacity = 512

    private struct Key: Hashable {
        let handle: String
        /// One handle may name a session for one token, and several for another.
        let filter: AccessFilter?
    }

    private struct Entry {
        let session: CalledSession
        /// The files of the index before it was asked.
        let index: IndexFileState
    }

    /// Keeps a session.
    ///
    /// - Parameter index: The files of the index before it was asked for the session.
    func keep(_ session: CalledSession, named name: String, for filter: AccessFilter?, index: IndexFileState)
    {
        state.withLock { state in
            if state.count >= Self.capacity { state = [:] }
            state[Key(handle: name, filter: filter)] = Entry(session: session, index: index)
        }
    }

    /// A session as it was found before, if nothing has changed since.
    ///
    /// - Complexity: A `stat` for each file of the session, and two for the index.
    func recall(
        named name: String, for filter: AccessFilter?, _ index: JournalIndex, settleTime: Duration
    ) -> CalledSession? {
        let key = Key(handle: name, filter: filter)
        guard let entry = state.withLock({ $0[key] }) else { return nil }
        guard let state = entry.session.state, index.fileState() == entry.index,
            let now = try? index.formats.snapshot(at: entry.session.path, settleTime: settleTime),
            state.holds(now)
        else { return nil }
        return entry.session
    }
}

extension JournalState {
    /// Adds what distinguishes this state from others.
    func add(to ingredients: inout TagIngredients) {
        for file in files {
            guard let identity = file.identity else {
                ingredients.add(0)
                continue
            }
            ingredients.add(1)
            ingredients.add(identity)
        }
    }
}
