internal import CXXHash

/// A 64-bit hash of bytes that arrive in pieces (XXH64): tells other bytes apart as well as chance allows. It is not a defence
/// against someone who makes files up to deceive it.
struct Fingerprint {
    private var state = XXH64_state_t()

    /// The hash of no bytes.
    init() { XXH64_reset(&state, 0) }

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        XXH64_update(&state, bytes.baseAddress, bytes.count)
    }

    /// The hash of all bytes so far.
    var value: UInt64 { withUnsafePointer(to: state) { XXH64_digest($0) } }
}

/// Hashes a file block by block, while it is read, up to its last line break.
///
/// What follows the last line break is not indexed and may be replaced at any time, so that it must not be in a hash; and the
/// bytes that are hashed must be the very ones that were read, not a second reading of them.
struct BlockHasher {
    /// The length of a block, in bytes.
    static let blockSize = 64 << 10

    /// The number of the first block of ``finished``.
    private(set) var firstBlock: Int
    private var finished: [UInt64] = []
    private var current = Fingerprint()
    private var filled = 0

    /// What was in the last three when the last line break had been hashed.
    private var atLineBreak: (finishedCount: Int, current: Fingerprint, filled: Int)

    /// A hasher that continues in the middle of a block.
    ///
    /// - Parameters:
    ///   - byteOffset: Where in the file the next byte stands; a line begins there.
    ///   - current: The hash of the bytes of its block that come before.
    init(byteOffset: Int = 0, current: Fingerprint = Fingerprint()) {
        firstBlock = byteOffset / Self.blockSize
        filled = byteOffset % Self.blockSize
        self.current = current
        atLineBreak = (0, current, filled)
    }

    /// Adds the next bytes of the file.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let end = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        add(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
        if end > 0 { atLineBreak = (finished.count, current, filled) }
        add(UnsafeRawBufferPointer(rebasing: bytes[end...]))
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize - filled))
            current.update(part)
            filled += part.count
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
            guard filled == Self.blockSize else { continue }
            finished.append(current.value)
            current = Fingerprint()
            filled = 0
        }
    }

    /// The blocks from ``firstBlock`` to the last line break; the last of them may be short.
    var blocks: [UInt64] {
        finished.prefix(atLineBreak.finishedCount)
            + (atLineBreak.filled > 0 ? [atLineBreak.current.value] : [])
    }
}
