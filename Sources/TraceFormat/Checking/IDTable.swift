internal import RecordFormat

/// Which kinds of record use which ids: every id of a session, in little more memory than the ids themselves.
///
/// A hash table in shards that grow one by one, so that growing never takes much more memory than what is
/// held. The hash is seeded for each table: nobody can write ids that all fall on one place.
final class IDTable {
    private let shards: [Shard]
    private let seed: (UInt64, UInt64)

    fileprivate static let shardBits: UInt64 = 4

    init() {
        var random = SystemRandomNumberGenerator()
        seed = (random.next(), random.next())
        shards = (0..<(1 << Int(Self.shardBits))).map { _ in Shard() }
    }

    /// Notes that an id is used by `owner`.
    ///
    /// - Returns: Who used it before.
    func insert(_ id: ULID, _ owner: Owners) -> Owners {
        let key = Key(id, seed)
        return shards[Int(key.hash >> (64 - Self.shardBits))].insert(key, owner, seed)
    }

    /// Who uses an id.
    func owners(of id: ULID) -> Owners {
        let key = Key(id, seed)
        return shards[Int(key.hash >> (64 - Self.shardBits))].owners(of: key)
    }

    /// The owners of an id: more than one if a rule is violated.
    struct Owners: OptionSet {
        let rawValue: UInt16

        static let mediaItem = Owners(rawValue: 1 << 7)

        init(rawValue: UInt16) { self.rawValue = rawValue }

        init(_ kind: EntryKind) {
            rawValue = 1 << UInt16(kind.index)
        }

        var name: String {
            RecordKind.allCases.first { contains(Owners($0.entryKind)) }?.noun ?? "media item"
        }
    }
}

/// An id of 130 bits as two words and what is left, with its hash.
private struct Key {
    let high: UInt64
    let low: UInt64
    /// The last two bits, and six of the hash that tell most other ids apart, where a table keeps them.
    let mark: UInt16
    let hash: UInt64

    /// Below it, a place says who uses the id.
    static let restShift: UInt16 = 8

    init(_ id: ULID, _ seed: (UInt64, UInt64)) {
        self.init(
            high: id.time << 14 | id.randomHigh >> 26, low: id.randomHigh << 38 | id.randomLow >> 2,
            rest: UInt16(id.randomLow & 3), seed)
    }

    init(high: UInt64, low: UInt64, rest: UInt16, _ seed: (UInt64, UInt64)) {
        self.high = high
        self.low = low
        let product = (high ^ seed.0).multipliedFullWidth(by: low ^ seed.1)
        hash = (product.high ^ product.low ^ UInt64(rest)) &* 0x9E37_79B9_7F4A_7C15
        mark = rest << Self.restShift | UInt16(hash & 0x3F) << (Self.restShift + 2)
    }
}

/// A part of the table: open addressing, the next place after a taken one.
private final class Shard {
    /// The ids' words, and beside them who uses them; a place is free where nobody does.
    ///
    /// Soundness: allocated by ``grow(_:)`` with `capacity` elements each, initialised before they are used,
    /// owned by this object alone and freed by it.
    private var words: UnsafeMutablePointer<(high: UInt64, low: UInt64)>
    private var marks: UnsafeMutablePointer<UInt16>
    private var capacity = 0
    private var count = 0
    /// At how many ids it grows: four fifths of its places, so that ways stay short.
    private var limit = 0

    private static let ownerMask: UInt16 = (1 << Key.restShift) - 1

    init() {
        words = .allocate(capacity: 0)
        marks = .allocate(capacity: 0)
    }

    deinit {
        words.deallocate()
        marks.deallocate()
    }

    func insert(_ key: Key, _ owner: IDTable.Owners, _ seed: (UInt64, UInt64)) -> IDTable.Owners {
        if count >= limit { grow(seed) }
        let place = place(of: key)
        let mark = marks[place]
        if mark == 0 {
            words[place] = (key.high, key.low)
            count += 1
        }
        marks[place] = mark | key.mark | owner.rawValue
        return IDTable.Owners(rawValue: mark & Self.ownerMask)
    }

    func owners(of key: Key) -> IDTable.Owners {
        capacity == 0 ? [] : IDTable.Owners(rawValue: marks[place(of: key)] & Self.ownerMask)
    }

    /// Where an id stands, or would stand.
    private func place(of key: Key) -> Int {
        // The bits behind those that choose the shard, as a fraction of the places.
        var place = Int((key.hash << IDTable.shardBits).multipliedFullWidth(by: UInt64(capacity)).high)
        while marks[place] != 0 {
            let isSame =
                marks[place] & ~Self.ownerMask == key.mark
                && words[place].high == key.high && words[place].low == key.low
            if isSame { break }
            place += 1
            if place == capacity { place = 0 }
        }
        return place
    }

    private func grow(_ seed: (UInt64, UInt64)) {
        let (oldWords, oldMarks, oldCapacity) = (words, marks, capacity)
        capacity = max(16, oldCapacity + oldCapacity / 2)
        limit = capacity / 5 * 4
        words = .allocate(capacity: capacity)
        words.initialize(repeating: (0, 0), count: capacity)
        marks = .allocate(capacity: capacity)
        marks.initialize(repeating: 0, count: capacity)
        for index in 0..<oldCapacity where oldMarks[index] != 0 {
            let (high, low) = oldWords[index]
            let rest = oldMarks[index] >> Key.restShift & 3
            let place = place(of: Key(high: high, low: low, rest: rest, seed))
            words[place] = (high, low)
            marks[place] = oldMarks[index]
        }
        oldWords.deallocate()
        oldMarks.deallocate()
    }
}
