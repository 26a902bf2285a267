/// What is known of a document: for each of its members what was said last, and for each record whether it was removed.
///
/// Two states join into one, in any order and any number of times, with the same result.
///
/// Source: docs/spec/practice.md#registers-and-tombstones.
package struct SyncState: Sendable, Equatable {
    /// What was said last of a member.
    struct Register: Sendable, Equatable {
        let stamp: SyncStamp
        /// Nil if the member was taken away.
        let text: DocumentValues.Text?

        /// The later of two first; of equal stamps what is present before what is not, then the greater bytes.
        func sorted(with other: Register) -> (later: Register, earlier: Register) {
            isEarlier(than: other) ? (other, self) : (self, other)
        }

        private func isEarlier(than other: Register) -> Bool {
            if stamp != other.stamp { return stamp < other.stamp }
            guard let text, let others = other.text else { return text == nil }
            return text.lexicographicallyPrecedes(others)
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
    /// The values that were said and do not count any more.
    private(set) var past = PastValues()
    /// Whether ``past`` lacks some: a version that did not keep them has shortened the log.
    private(set) var lacksPast = false
    /// The last stamp of each device.
    package private(set) var latest: [String: SyncStamp] = [:]

    package init() {}

    package var isEmpty: Bool {
        records.values.allSatisfy(\.isEmpty) && objects.values.allSatisfy(\.isEmpty) && others.isEmpty
            && groupOrder == nil
    }

    // MARK: - Saying

    mutating func say(_ register: Register, of member: String, in key: String, _ array: PracticeArray) {
        records[array, default: [:]][key, default: Record()].members.join(
            register, member, in: .record(array, key), &past)
        note(register.stamp)
    }

    mutating func say(_ register: Register, of member: String, in object: String) {
        objects[object, default: [:]].join(register, member, in: .object(object), &past)
        note(register.stamp)
    }

    mutating func say(_ register: Register, of other: String) {
        others.join(register, other, in: .top, &past)
        note(register.stamp)
    }

    mutating func remove(_ key: String, of array: PracticeArray, _ stamp: SyncStamp) {
        var record = records[array]?[key] ?? Record()
        record.tombstone = max(record.tombstone ?? stamp, stamp)
        records[array, default: [:]][key] = record
        note(stamp)
    }

    /// As if nothing had been said of a member.
    mutating func unsay(_ member: String, in key: String, _ array: PracticeArray) {
        guard var record = records[array]?[key] else { return }
        record.members[member] = nil
        records[array]?[key] = record.members.isEmpty && record.tombstone == nil ? nil : record
    }

    mutating func order(groups: Register) {
        groupOrder = groupOrder.map { past.join(order: $0, groups) } ?? groups
        note(groups.stamp)
    }

    /// Takes note of a stamp, though what was said with it may not count any more.
    mutating func note(_ stamp: SyncStamp) {
        if let known = latest[stamp.device], known >= stamp { return }
        latest[stamp.device] = stamp
    }

    /// Takes note of values that were said, and do not count any more.
    mutating func note(_ past: PastValues) { self.past.formUnion(past) }

    /// Takes note that values were said of which nothing is known any more.
    package mutating func forgetPast() {
        past = PastValues()
        lacksPast = true
    }

    // MARK: - Joining

    /// Takes up what another state knows.
    ///
    /// - Complexity: O(size of the other one)
    package mutating func join(_ other: SyncState) {
        lacksPast = lacksPast || other.lacksPast
        past.formUnion(other.past)
        for (array, others) in other.records {
            guard let known = records[array], !known.isEmpty else {
                records[array] = others
                continue
            }
            for (key, record) in others {
                records[array]?[key, default: Record()].join(record, in: .record(array, key), &past)
            }
        }
        for (object, members) in other.objects {
            objects[object, default: [:]].join(members, in: .object(object), &past)
        }
        others.join(other.others, in: .top, &past)
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
    fileprivate mutating func join(
        _ register: SyncState.Register, _ member: String, in place: RegisterPlace, _ past: inout PastValues
    ) {
        guard let known = self[member] else {
            self[member] = register
            return
        }
        self[member] = past.join(known, register, of: member, in: place)
    }

    fileprivate mutating func join(
        _ others: SyncState.Registers, in place: RegisterPlace, _ past: inout PastValues
    ) {
        if isEmpty {
            self = others
        } else {
            for (member, register) in others { join(register, member, in: place, &past) }
        }
    }
}

extension SyncState.Record {
    fileprivate mutating func join(
        _ other: SyncState.Record, in place: RegisterPlace, _ past: inout PastValues
    ) {
        members.join(other.members, in: place, &past)
        if let removed = other.tombstone { tombstone = max(tombstone ?? removed, removed) }
    }
}
