/// A 64-bit hash of bytes that arrive in pieces: tells other bytes apart as well as chance allows. It is not a defence against
/// someone who makes files up to deceive it.
struct Fingerprint: Equatable {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    /// The bytes that do not make up a word yet, the first of them lowest.
    private var pending: UInt64 = 0
    private var pendingCount: UInt64 = 0

    /// Adds bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while pendingCount != 0, index < bytes.count { add(bytes[index], &index) }
        var state = state
        while index + 8 <= bytes.count {
            state = Self.mix(
                state ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        self.state = state
        while index < bytes.count { add(bytes[index], &index) }
    }

    private mutating func add(_ byte: UInt8, _ index: inout Int) {
        pending |= UInt64(byte) << (pendingCount * 8)
        pendingCount += 1
        index += 1
        guard pendingCount == 8 else { return }
        state = Self.mix(state ^ pending)
        pending = 0
        pendingCount = 0
    }

    /// The hash of all bytes so far.
    var value: UInt64 { Self.mix(Self.mix(state ^ pending) ^ (pendingCount + 1)) }

    /// Both halves of the product with an odd constant, folded.
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
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
