internal import Dispatch
internal import RecordFormat
internal import Synchronization
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// One reading of a file of records from a place on: its lines as records and findings, and the hashes of its
/// blocks.
struct RecordScan: Sendable {
    let file: OpenRegularFile
    let schema: RecordSchema
    let start: RecordStream.ResumePoint
    let hasher: BlockHasher
    /// Whether a last line without newline has rested long enough to count as torn.
    let isSettled: Bool

    /// What a reading leaves.
    struct Result: Sendable {
        /// Where reading can continue.
        var resumePoint: RecordStream.ResumePoint
        var hasher: BlockHasher
        /// Whether the file could be read to its end; if not, a finding says so.
        var isWhole: Bool
    }

    /// Whether there is so much to read that a second thread pays for itself.
    private var isLong: Bool { file.identity.size - Int64(start.byteOffset) > 4 << 20 }

    /// Hands out what is in the file, in its order. A long file is read by a thread of its own, a little ahead of `take`.
    ///
    /// - Throws: What `take` throws; ``FormatError`` with `.memory`.
    func run(_ take: @escaping (RecordBatch) throws -> Void) throws -> Result {
        isLong ? try runAhead(take) : try read(take)
    }

    private func read(_ take: @escaping (RecordBatch) throws -> Void) throws -> Result {
        let batcher = Batcher(take)
        let stream = try RecordStream(linesOf: schema, from: start, isSettled: isSettled) {
            try batcher.add($0)
        } onFinding: {
            try batcher.add($0)
        }
        var hasher = hasher
        let failure = try file.readPieces(from: Int64(start.byteOffset)) { _ in
            stream.space()
        } _: { piece, _ in
            hasher.update(piece)
            try stream.filled(piece.count)
        }
        if let failure {
            let place = Finding.Place(file: schema.fileName)
            try stream.report(Finding(.fileUnreadable, at: place, file.unreadable(failure).message))
        }
        try stream.finish()
        try batcher.flush()
        return Result(resumePoint: stream.resumePoint, hasher: hasher, isWhole: failure == nil)
    }

    // MARK: - Ahead

    private func runAhead(_ take: (RecordBatch) throws -> Void) throws -> Result {
        let queue = BatchQueue()
        let reader = DispatchGroup()
        DispatchQueue.global(qos: .userInitiated).async(group: reader) {
            queue.end(with: Swift.Result { try read { try queue.put($0) } })
        }
        // The thread never outlives the call, whatever happens here.
        defer {
            queue.stop()
            reader.wait()
        }
        while let batch = queue.take() { try take(batch) }
        return try queue.result()
    }

    /// Collects lines into batches.
    private final class Batcher {
        private let take: (RecordBatch) throws -> Void
        private var batch = RecordBatch(isFirst: true)

        init(_ take: @escaping (RecordBatch) throws -> Void) { self.take = take }

        func add(_ line: CheckedLine) throws {
            batch.add(line)
            if batch.isFull { try flush() }
        }

        func add(_ finding: Finding) throws {
            batch.add(finding)
            if batch.isFull { try flush() }
        }

        func flush() throws {
            if batch.isEmpty { return }
            try take(batch)
            batch = RecordBatch(isFirst: false)
        }
    }
}

/// A bounded queue of batches from the reading thread to the writing one, so that memory stays small.
private final class BatchQueue: Sendable {
    private let state = Mutex(State())
    /// From 0 and not from its places on: Dispatch traps when a semaphore goes away with less than it began
    /// with.
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)

    private struct State {
        var batches: [RecordBatch] = []
        var result: Result<RecordScan.Result, any Error>?
        var isStopped = false
    }

    /// The consumer has stopped.
    private struct Stopped: Error {}

    init() {
        for _ in 0..<8 { free.signal() }
    }

    // MARK: The reader's end

    func put(_ batch: RecordBatch) throws {
        free.wait()
        let isStopped = state.withLock { state in
            state.batches.append(batch)
            return state.isStopped
        }
        filled.signal()
        if isStopped { throw Stopped() }
    }

    func end(with result: Result<RecordScan.Result, any Error>) {
        state.withLock { $0.result = result }
        filled.signal()
    }

    // MARK: The writer's end

    /// The next batch, or nil when the reader has ended.
    func take() -> RecordBatch? {
        filled.wait()
        let batch = state.withLock { $0.batches.isEmpty ? nil : $0.batches.removeFirst() }
        free.signal()
        return batch
    }

    /// What the reader ended with.
    func result() throws -> RecordScan.Result {
        guard let result = state.withLock({ $0.result }) else { throw Stopped() }
        return try result.get()
    }

    /// Lets the reader end, which may wait for a place.
    func stop() {
        state.withLock { $0.isStopped = true }
        free.signal()
    }
}
