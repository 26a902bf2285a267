internal import Dispatch
internal import HTTPTypes
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// Makes copies of recordings for players, one after the other, beside everything else.
final class CopyMaker: Sendable {
    private let work = DispatchQueue(label: "http.copies", qos: .utility)
    private let state = Mutex(State())

    private struct State {
        var making: Set<FileIdentity> = []
        /// Why there is none of a file in a state.
        var failures: [FileIdentity: Problem] = [:]
        var isStopped = false
    }

    /// How far a copy is.
    enum Progress {
        case made(OpenDirectory, FilePath.Component)
        case making
        /// Why there is none.
        case impossible(Problem)
    }

    private static let failureLimit = 1000
    private static let waitingLimit = 64

    /// The copy of a recording; begins to make it if there is none.
    func copy(of source: FilePath, in identity: FileIdentity, _ copies: PlayableCopies) -> Progress {
        if let copy = copies.copy(of: identity) { return .made(copy.directory, copy.name) }
        return state.withLock { state in
            if let failure = state.failures[identity] { return .impossible(failure) }
            guard !state.isStopped, state.making.count < Self.waitingLimit,
                state.making.insert(identity).inserted
            else { return .making }
            work.async { self.make(source, identity, copies) }
            return .making
        }
    }

    /// Ends what is being made, and makes nothing any more.
    func stop() { state.withLock { $0.isStopped = true } }

    private func make(_ source: FilePath, _ identity: FileIdentity, _ copies: PlayableCopies) {
        var failure: (any Error)?
        do {
            try copies.make(of: source, in: identity) { self.state.withLock { $0.isStopped } }
        } catch { failure = error }
        state.withLock { state in
            state.making.remove(identity)
            guard let failure = failure as? FileError else { return }
            // What is wrong with the file stays so; a full disk does not.
            guard [.toolMissing, .toolFailed].contains(failure.code) else { return }
            if state.failures.count >= Self.failureLimit { state.failures = [:] }
            state.failures[identity] = Problem(
                .notFound, "copy-unavailable", "there is no copy for players: \(failure.message)",
                hint: "leave 'as' out to get the recording as it is")
        }
    }
}
