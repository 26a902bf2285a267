/// What is known of a document: for each of its members what was said last, and for each record whether it was removed.
///
/// Two states join into one, in any order and any number of times, with the same result.
///
/// Source: practice.md, section 12.
package struct SyncState: Sendable, Equatable {
    /// What was said last of a member.
    struct Register: Sendable, Equatable {
        let stamp: SyncStamp
        /// Nil if the member was taken away.
        let text: DocumentValues.Text?

        /// The later of two; of equal stamps what is present before what is not, then the greater bytes.
        func joined(with other: Register) -> Register {
            if stamp != other.stamp { return stamp < other.stamp ? other : self }
            guard let text, let others = other.text else { return text == nil ? other : self }
            return text.lexicographicallyPrecedes(others) ? other : self
        }
    }

    typealias Registers = [String: Register]

    struct Record: Sendable, Equatable {
        var members: Registers = [:]
        /// When it was removed.
        var tombstone: SyncStamp?

        /// Whether something was said of it after it was removed.
        var isAlive: Bool {
            guard let tombstone else { return !members.isEmpty }
            return members.values.contains { $0.stamp > tombstone }
        }
    }

    /// By the key of the record.
    private(set) var records: [PracticeArray: [String: Record]] = [:]
    private(set) var objects: [String: Registers] = [:]
    /// The other members of the top level.
    private(set) var others: Registers = [:]
    /// The keys of the groups in their order, as a JSON array.
    private(set) var groupOrder: Register?
    /// The last stamp of each device.
    package private(set) var latest: [String: SyncStamp] = [:]

    package init() {}

    package var isEmpty: Bool {
        records.values.allSatisfy(\.isEmpty) && objects.values.allSatisfy(\.isEmpty) && others.isEmpty
            && groupOrder == nil
    }

    // MARK: - Saying

    mutating func say(_ register: Register, of member: String, in key: String, _ array: PracticeArray) {
        records[array, default: [:]][key, default: Record()].members.join(register, member)
        note(register.stamp)
    }

    mutating func say(_ register: Register, of member: String, in object: String) {
        objects[object, default: [:]].join(register, member)
        note(register.stamp)
    }

    mutating func say(_ register: Register, of other: String) {
        others.join(register, other)
        note(register.stamp)
    }

    mutating func remove(_ key: String, of array: PracticeArray, _ stamp: SyncStamp) {
        var record = records[array]?[key] ?? Record()
        record.tombstone = max(record.tombstone ?? stamp, stamp)
        records[array, default: [:]][key] = record
        note(stamp)
    }

    mutating func order(groups: Register) {
        groupOrder = groupOrder.map { $0.joined(with: groups) } ?? groups
        note(groups.stamp)
    }

    /// Takes note of a stamp, though what was said with it may not count any more.
    mutating func note(_ stamp: SyncStamp) {
        if let known = latest[stamp.device], known >= stamp { return }
        latest[stamp.device] = stamp
    }

    // MARK: - Joining

    /// Takes up what another state knows.
    ///
    /// - Complexity: O(size of the other one)
    package mutating func join(_ other: SyncState) {
        for (array, others) in other.records {
            records[array, default: [:]].merge(others) { one, other in one.joined(with: other) }
        }
        for (object, members) in other.objects {
            objects[object, default: [:]].merge(members) { $0.joined(with: $1) }
        }
        others.merge(other.others) { $0.joined(with: $1) }
        if let order = other.groupOrder { self.order(groups: order) }
        for stamp in other.latest.values { note(stamp) }
    }

    package func joined(with other: SyncState) -> SyncState {
        var state = self
        state.join(other)
        return state
    }
}

extension SyncState.Registers {
    fileprivate mutating func join(_ register: SyncState.Register, _ member: String) {
        self[member] = self[member]?.joined(with: register) ?? register
    }
}

extension SyncState.Record {
    fileprivate func joined(with other: SyncState.Record) -> SyncState.Record {
        var record = self
        record.members.merge(other.members) { $0.joined(with: $1) }
        if let tombstone = other.tombstone {
            record.tombstone = max(record.tombstone ?? tombstone, tombstone)
        }
        return record
    }
}
