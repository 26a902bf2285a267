internal import NIOPosix
internal import TraceFiles

/// The threads on which the API does what blocks; nothing of it runs on those of connections and tasks.
///
/// Source: docs/architecture.md#threads.
struct ServerThreads: Sendable {
    private let asking = NIOThreadPool(numberOfThreads: 4)
    private let searching = NIOThreadPool(numberOfThreads: 2)
    /// What is sent in many parts is stored beside the one that writes: a disk that takes its time holds no mark up.
    private let receiving = NIOThreadPool(numberOfThreads: 1)
    private let writing = NIOThreadPool(numberOfThreads: 1)
    private let delivering = NIOThreadPool(numberOfThreads: 1)
    /// What takes long before it writes: one at a time, so that several take no more memory and processors than one.
    private let importing = NIOThreadPool(numberOfThreads: 1)
    /// What is looked at between requests: the holder of a revoked token is cut off in time, however many questions wait.
    private let watching = NIOThreadPool(numberOfThreads: 1)

    /// What `top -H` and `strace` call these three threads, to tell them from the others; at most 15 bytes (proc(5), comm).
    private static let receiverName = "http-receive"
    private static let writerName = "http-write"
    private static let delivererName = "http-deliver"

    init() {
        asking.start()
        searching.start()
        receiving.start()
        receiving.submit { _ in DedicatedThread.nameCurrent(Self.receiverName) }
        writing.start()
        writing.submit { _ in DedicatedThread.nameCurrent(Self.writerName) }
        delivering.start()
        delivering.submit { _ in DedicatedThread.nameCurrent(Self.delivererName) }
        importing.start()
        watching.start()
    }

    /// Runs `body` where it belongs.
    ///
    /// - Throws: What `body` throws; `CancellationError` once the threads have ended.
    func run<Result: Sendable>(
        _ work: Endpoint.Work, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        switch work {
        case .immediate: try body()
        case .asking: try await asking.runIfActive(body)
        case .searching: try await searching.runIfActive(body)
        case .writing: try await writing.runIfActive(body)
        case .delivering: try await delivering.runIfActive(body)
        case .importing: try await importing.runIfActive(body)
        }
    }

    /// Runs `body` where bodies are stored that are received piece by piece.
    ///
    /// - Throws: As ``run(_:_:)``.
    func receive<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await receiving.runIfActive(body)
    }

    /// Runs `body` soon, behind nothing that was asked for; not once the threads have ended.
    func watch(_ body: @escaping @Sendable () -> Void) {
        watching.submit { state in if state == .active { body() } }
    }

    /// Has them end once what runs has ended; does not wait for that.
    func end() {
        for pool in [asking, searching, receiving, writing, delivering, importing, watching] {
            pool.shutdownGracefully { _ in }
        }
    }
}
