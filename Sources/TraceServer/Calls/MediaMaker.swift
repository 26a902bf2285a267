internal import TraceMedia
internal import Dispatch
internal import HTTPTypes
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Makes one kind of product out of recordings, one after the other, beside everything else. However many ask for one, it is made once.
final class MediaMaker: Sendable {
    private let work: DispatchQueue
    private let unavailable: @Sendable (_ reason: String) -> Problem
    private let state = Mutex(State())

    /// Why a product can't be made, as long as its recording is as it is.
    private struct Failure {
        let reason: String
        var isProgramMissing = false
    }

    private struct State {
        var making: Set<FileIdentity> = []
        /// Why there is none of a file in a state.
        var failures: [FileIdentity: Failure] = [:]
        var isStopped = false
    }

    /// How far a product is.
    enum Progress {
        case made
        case making
        /// Why there is none.
        case impossible(Problem)
    }

    /// There is no process, memory or descriptor left for a program, or somebody is just installing it.
    private static let passing: Set<Errno> = [
        .resourceTemporarilyUnavailable, .noMemory, .tooManyOpenFiles, .tooManyOpenFilesInSystem,
        .textFileBusy,
    ]

    private static let failureLimit = 1000
    private static let waitingLimit = 64

    /// - Parameters:
    ///   - label: Names its thread.
    ///   - unavailable: The answer where there can be none.
    init(_ label: String, unavailable: @escaping @Sendable (_ reason: String) -> Problem) {
        work = DispatchQueue(label: label, qos: .utility)
        self.unavailable = unavailable
    }

    /// How far the product of a recording is; begins to make it if there is none.
    func progress(
        of product: some MediaProduct, of source: FilePath, in identity: FileIdentity
    ) -> Progress {
        if product.exists(for: identity) { return .made }
        return state.withLock { state in
            if let failure = state.failures[identity] {
                // What was not installed may be now.
                guard failure.isProgramMissing, ProgramSearch.find("ffmpeg") != nil else {
                    return .impossible(unavailable(failure.reason))
                }
                state.failures[identity] = nil
            }
            guard !state.isStopped, state.making.count < Self.waitingLimit,
                state.making.insert(identity).inserted
            else { return .making }
            work.async { self.make(product, source, identity) }
            return .making
        }
    }

    /// Ends what is being made, and makes nothing any more.
    func stop() { state.withLock { $0.isStopped = true } }

    private func make(_ product: some MediaProduct, _ source: FilePath, _ identity: FileIdentity) {
        var failure: (any Error)?
        do {
            try product.make(of: source, in: identity) { self.state.withLock { $0.isStopped } }
        } catch { failure = error }
        state.withLock { state in
            state.making.remove(identity)
            guard let failure = failure.flatMap(Self.lasting) else { return }
            if state.failures.count >= Self.failureLimit { state.failures = [:] }
            state.failures[identity] = failure
        }
    }

    /// What is wrong with the file stays so; a full disk does not, nor does what keeps a program from being started.
    private static func lasting(_ error: any Error) -> Failure? {
        switch error {
        case let error as MediaError where error.code == .mediaTooLong:
            Failure(reason: error.message)
        case let error as StoreError
        where [.toolMissing, .toolFailed].contains(error.code)
            && error.errno.map(passing.contains) != true:
            Failure(reason: error.message, isProgramMissing: error.code == .toolMissing)
        default: nil
        }
    }
}
