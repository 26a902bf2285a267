/// Which kinds of record use which ids: every id of a session, in little more memory than the ids themselves.
///
/// A hash table in shards that grow one by one, so that growing never takes much more memory than what is
/// held. The hash is seeded for each table: nobody can write ids that all fall on one place.
struct IDTable {
    private var shards: [Shard]
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
    mutating func insert(_ id: ULID, _ owner: Owners) -> Owners {
        let key = Key(id, seed)
        return shards[Int(key.hash >> (64 - Self.shardBits))].insert(key, owner, seed)
    }

    /// Who uses an id.
    func owners(of id: ULID) -> Owners {
        let key = Key(id, seed)
        return shards[Int(key.hash >> (64 - Self.shardBits))].owners(of: key)
    }

    /// Who has an id: more than one where a rule is broken.
    struct Owners: OptionSet {
        let rawValue: UInt16

        static let mediaItem = Owners(rawValue: 1 << 7)

        init(rawValue: UInt16) { self.rawValue = rawValue }

        init(_ kind: RecordKind) {
            rawValue = 1 << UInt16(kind.index)
        }

        var name: String {
            RecordKind.allCases.first { contains(Owners($0)) }?.noun ?? "media item"
        }
    }
}

/// An id of 130 bits as two words and what is left, with its hash.
private struct Key {
    let high: UInt64
    let low: UInt64
    /// The last two bits, where a table keeps them.
    let rest: UInt16
    let hash: UInt64

    static let restShift: UInt16 = 8

    init(_ id: ULID, _ seed: (UInt64, UInt64)) {
        self.init(
            high: id.time << 14 | id.randomHigh >> 26, low: id.randomHigh << 38 | id.randomLow >> 2,
            rest: UInt16(id.randomLow & 3) << Self.restShift, seed)
    }

    init(high: UInt64, low: UInt64, rest: UInt16, _ seed: (UInt64, UInt64)) {
        self.high = high
        self.low = low
        self.rest = rest
        let product = (high ^ seed.0).multipliedFullWidth(by: low ^ seed.1)
        hash = (product.high ^ product.low ^ UInt64(rest)) &* 0x9E37_79B9_7F4A_7C15
    }
}

/// A part of the table: open addressing, the next place after a taken one.
private struct Shard {
    /// The ids' words, and beside them who uses them; a place is free where nobody does.
    private var words: [(high: UInt64, low: UInt64)] = []
    private var marks: [UInt16] = []
    private var count = 0
    /// At how many ids it grows: four fifths of its places, so that ways stay short.
    private var limit = 0

    private static let ownerMask: UInt16 = (1 << Key.restShift) - 1

    mutating func insert(_ key: Key, _ owner: IDTable.Owners, _ seed: (UInt64, UInt64)) -> IDTable.Owners {
        if count >= limit { grow(seed) }
        let place = place(of: key)
        let mark = marks[place]
        if mark == 0 {
            words[place] = (key.high, key.low)
            count += 1
        }
        marks[place] = mark | key.rest | owner.rawValue
        return IDTable.Owners(rawValue: mark & Self.ownerMask)
    }

    func owners(of key: Key) -> IDTable.Owners {
        marks.isEmpty ? [] : IDTable.Owners(rawValue: marks[place(of: key)] & Self.ownerMask)
    }

    /// Where an id stands, or would stand.
    private func place(of key: Key) -> Int {
        // The bits behind those that choose the shard, as a fraction of the places.
        var place = Int((key.hash << IDTable.shardBits).multipliedFullWidth(by: UInt64(marks.count)).high)
        while marks[place] != 0 {
            let isSame =
                words[place].high == key.high && words[place].low == key.low
                && marks[place] & ~Self.ownerMask == key.rest
            if isSame { break }
            place += 1
            if place == marks.count { place = 0 }
        }
        return place
    }

    private mutating func grow(_ seed: (UInt64, UInt64)) {
        let old = self
        let capacity = max(16, old.marks.count + old.marks.count / 2)
        words = Array(repeating: (0, 0), count: capacity)
        marks = Array(repeating: 0, count: capacity)
        limit = capacity / 5 * 4
        for index in old.marks.indices where old.marks[index] != 0 {
            let (high, low) = old.words[index]
            let place = place(of: Key(high: high, low: low, rest: old.marks[index] & ~Self.ownerMask, seed))
            words[place] = (high, low)
            marks[place] = old.marks[index]
        }
    }
}
