internal import RecordFormat

/// The values that were said of registers and do not count any more: a device that brings one without saying what it had brings what is old.
///
/// Of each there is a hash of 8 bytes, so that a log that is shortened can keep them; orders of groups are kept as they are, for they are
/// compared by the groups that two have in common. A value that counts again is not among them, so that states join to the same in any
/// order.
///
/// Source: docs/spec/practice.md#without-a-base.
struct PastValues: Sendable, Equatable {
    private(set) var hashes: Set<UInt64> = []
    /// As JSON arrays of keys.
    private(set) var orders: Set<DocumentValues.Text> = []

    init() {}

    /// - Parameter hashes: As ``text`` has written them.
    /// - Returns: Nil if they are not hashes.
    init?(hashes text: String, orders: [DocumentValues.Text]) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: Self.digits) else { return nil }
        for start in stride(from: 0, to: digits.count, by: Self.digits) {
            let hash = String(decoding: digits[start..<start + Self.digits], as: UTF8.self)
            guard let hash = UInt64(hash, radix: 16) else { return nil }
            hashes.insert(hash)
        }
        self.orders = Set(orders)
    }

    /// How many a hash has.
    private static let digits = 16

    /// The hashes in hexadecimal digits, in their order.
    var text: String {
        hashes.sorted().map { hash in
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: Self.digits - digits.count) + digits
        }.joined()
    }

    mutating func formUnion(_ other: PastValues) {
        hashes.formUnion(other.hashes)
        orders.formUnion(other.orders)
    }

    /// Of two registers that are one the later, while the value of the other becomes one of the past.
    mutating func join(
        _ one: SyncState.Register, _ other: SyncState.Register, of member: String, in place: RegisterPlace
    ) -> SyncState.Register {
        let (later, earlier) = one.sorted(with: other)
        guard later.text != earlier.text else { return later }
        if let text = earlier.text { hashes.insert(place.hash(of: text, in: member)) }
        if let text = later.text { hashes.remove(place.hash(of: text, in: member)) }
        return later
    }

    /// As ``join(_:_:of:in:)``, of two orders of the groups.
    mutating func join(order one: SyncState.Register, _ other: SyncState.Register) -> SyncState.Register {
        let (later, earlier) = one.sorted(with: other)
        guard later.text != earlier.text else { return later }
        if let text = earlier.text { orders.insert(text) }
        if let text = later.text { orders.remove(text) }
        return later
    }

    mutating func insert(_ text: DocumentValues.Text, of member: String, in place: RegisterPlace) {
        hashes.insert(place.hash(of: text, in: member))
    }

    func contains(_ text: DocumentValues.Text, of member: String, in place: RegisterPlace) -> Bool {
        !hashes.isEmpty && hashes.contains(place.hash(of: text, in: member))
    }
}

/// Where a register is.
enum RegisterPlace {
    case record(PracticeArray, String)
    /// One of the objects of the top level.
    case object(String)
    case top

    /// FNV-1a, of 64 bits, over the register's name and what the text means: it is written into logs, so that it never changes.
    func hash(of text: DocumentValues.Text, in member: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for name in path + [member] {
            name.utf8.forEach(add)
            // No two names run together: this is not a byte of UTF-8.
            add(0xFF)
        }
        (JSONText.canonical(Array(text)) ?? Array(text)).forEach(add)
        return hash
    }

    private var path: [String] {
        switch self {
        case .record(let array, let key): [array.rawValue, key]
        case .object(let object): [object]
        case .top: []
        }
    }
}
