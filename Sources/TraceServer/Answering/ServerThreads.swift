internal import NIOPosix

/// The threads on which the API does what blocks; nothing of it runs on those of connections and tasks.
///
/// Source: server.md, section 2, "Threads".
struct ServerThreads: Sendable {
    private let asking = NIOThreadPool(numberOfThreads: 4)
    private let searching = NIOThreadPool(numberOfThreads: 2)
    private let writing = NIOThreadPool(numberOfThreads: 1)

    init() {
        asking.start()
        searching.start()
        writing.start()
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
        }
    }

    /// Has them end once what runs has ended; does not wait for that.
    func end() {
        for pool in [asking, searching, writing] { pool.shutdownGracefully { _ in } }
    }
}
