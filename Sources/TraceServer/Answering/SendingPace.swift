internal import Synchronization

/// How a body is sent to one client: in short pieces, one at a time, until it has shown for long that it takes them at once; then in long
/// ones, of which the next is read while one is sent.
///
/// What a fast client is given in memory is taken from a few ``FastLanes``, so that many slow ones, whose sockets take the first
/// megabytes as fast, don't each hold some.
struct SendingPace: ~Copyable {
    private let lanes: FastLanes
    private(set) var isFast = false
    /// How many pieces in turn were taken at once.
    private var quickCount = 0

    /// What was taken within this time was waited for by nobody.
    private static let quick = Duration.milliseconds(20)
    private static let slow = Duration.milliseconds(100)
    /// As many pieces make a megabyte: more than a socket takes that nobody reads.
    private static let quickLimit = 64
    /// Of a slow client, two of them are in memory: one that the socket does not take, and the next.
    private static let shortPiece = 16 * 1024
    private static let longPiece = 256 * 1024

    init(_ lanes: FastLanes) { self.lanes = lanes }

    deinit { if isFast { lanes.give() } }

    /// How many bytes the next piece is to have at most.
    var pieceSize: Int { isFast ? Self.longPiece : Self.shortPiece }

    /// Notes how long it took until the client had taken so much that the next piece could follow.
    mutating func note(_ time: Duration) {
        if isFast {
            guard time > Self.slow else { return }
            lanes.give()
            isFast = false
            quickCount = 0
        } else {
            quickCount = time <= Self.quick ? quickCount + 1 : 0
            isFast = quickCount >= Self.quickLimit && lanes.take()
        }
    }
}

/// How many clients may be sent to in long pieces at the same time.
final class FastLanes: Sendable {
    private let free: Atomic<Int>

    init(count: Int = 4) { free = Atomic(count) }

    /// - Returns: False if there is none left.
    func take() -> Bool {
        guard free.subtract(1, ordering: .relaxed).newValue < 0 else { return true }
        free.add(1, ordering: .relaxed)
        return false
    }

    /// Gives one back.
    func give() { free.add(1, ordering: .relaxed) }
}
