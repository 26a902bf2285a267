internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs pieces of work on all cores, and delivers their results in order on the calling thread.
package enum OrderedWork {
    /// How many threads work at the same time.
    static let width = ThreadCapacity.width

    /// - Parameters:
    ///   - count: How many pieces there are; they are numbered from 0.
    ///   - work: Is called once a piece, by several threads.
    ///   - take: Is called once a piece, in order. Work is never more than a few pieces ahead of it.
    /// - Throws: The first error of a piece, once what comes before it is taken; what `take` throws. No
    ///   thread is at work any more then.
    static func run<Product: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (Int) throws -> Product, take: (Product) throws -> Void
    ) throws {
        // One thread does it as well, where there are no others available.
        guard count > 1, width > 1, ThreadCapacity.allows(min(width, count) + 1) else {
            for piece in 0..<count { try take(try work(piece)) }
            return
        }
        let results = OrderedResults<Product>(count: count)
        let workers = DispatchGroup()
        for _ in 0..<min(width, count) {
            DispatchQueue.global(qos: .userInitiated).async(group: workers) {
                while let piece = results.begin() { results.end(piece, Result { try work(piece) }) }
            }
        }
        defer {
            results.stop()
            workers.wait()
        }
        for piece in 0..<count { try take(try results.product(of: piece).get()) }
    }

    /// Does two things at the same time, `aside` on its own thread; one after the other if there is no thread.
    ///
    /// - Throws: What `here` throws, else what `aside` throws. Both have ended then.
    package static func pair<Aside: Sendable, Here>(
        aside: @escaping @Sendable () throws -> Aside, here: () throws -> Here
    ) throws -> (Aside, Here) {
        guard width > 1, ThreadCapacity.allows(2) else {
            let product = try here()
            return (try aside(), product)
        }
        let slot = Slot<Aside>()
        let work = DispatchGroup()
        // A queue of its own has a thread at once, however many others are at work.
        DispatchQueue(label: "trace.aside", qos: .userInitiated).async(group: work) {
            slot.result.withLock { $0 = Result { try aside() } }
        }
        let product = Result { try here() }
        work.wait()
        let own = try product.get()
        guard let other = slot.result.withLock({ $0 }) else { preconditionFailure("the work has ended") }
        return (try other.get(), own)
    }

    private final class Slot<Product: Sendable>: Sendable {
        let result = Mutex<Result<Product, any Error>?>(nil)
    }
}

/// Holds results until they are taken in order.
private final class OrderedResults<Product: Sendable>: Sendable {
    private let count: Int
    private let state = Mutex(State())
    /// Room for further pieces. It begins at 0 and is filled after: Dispatch traps when a semaphore goes away
    /// with less than it began with.
    private let room = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    private struct State {
        var next = 0
        var products: [Int: Result<Product, any Error>] = [:]
    }

    init(count: Int) {
        self.count = count
        for _ in 0..<(OrderedWork.width * 2) { room.signal() }
    }

    /// The number of the next piece to work on, or nil when there is none.
    func begin() -> Int? {
        room.wait()
        return state.withLock { state in
            defer { state.next += 1 }
            return state.next < count ? state.next : nil
        }
    }

    func end(_ piece: Int, _ product: Result<Product, any Error>) {
        state.withLock { $0.products[piece] = product }
        finished.signal()
    }

    /// Waits for the product of a piece and makes room for another.
    func product(of piece: Int) -> Result<Product, any Error> {
        while true {
            if let product = state.withLock({ $0.products.removeValue(forKey: piece) }) {
                room.signal()
                return product
            }
            finished.wait()
        }
    }

    /// Ends the workers, which may be waiting for room.
    func stop() {
        state.withLock { $0.next = count }
        for _ in 0..<OrderedWork.width { room.signal() }
    }
}
