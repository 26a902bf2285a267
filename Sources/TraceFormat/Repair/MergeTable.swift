internal import RecordFormat

/// The records of all versions of a file, each line once, and what is known of their order.
///
/// Lines that belong together form a group: those of one id; in a timeline or transcript those of one id and offset, since
/// there the offset says where a line is. Within a group every line has a rank that its text alone decides. A line that in some
/// version is followed by one of lower rank must have been *superseded* by it, as nothing else puts them in that order: merging
/// itself writes what is superseded first, and everything else by rank.
///
/// A version knows lines, and which of them are superseded. One that knows all that any version knows keeps
/// its order; where none does, the lines come into an order that rests on nothing but what is known. Both
/// together are the join of a semilattice (docs/repair.md), so no order of merges leads to another end.
struct MergeTable {
    let kind: RecordKind
    private(set) var entries: [Entry] = []
    private(set) var groups: [Group] = []
    private(set) var versions: [Version] = []
    /// What is superseded in any version.
    private(set) var superseded: Set<Int> = []

    private var indices: [LineText: Int] = [:]
    private var repeatedLines: [RepeatedLine: Int] = [:]
    private var groupIndices: [GroupKey: Int] = [:]

    init(_ kind: RecordKind) { self.kind = kind }

    /// A line of which the text precedes it in its version, too.
    private struct RepeatedLine: Hashable {
        /// The entry of the first line of that text.
        let first: Int
        let occurrence: Int
    }

    /// A line: its text, and how many lines of that text precede it in its version.
    struct Entry {
        let text: LineText
        let occurrence: Int
        let facts: RecordLine.Facts
        let group: Int
    }

    private struct GroupKey: Hashable {
        let id: ULID?
        /// Stands for a missing id.
        let text: LineText?
        let offset: SessionOffset?
    }

    struct Group {
        let id: ULID?
        let text: LineText?
        let offset: SessionOffset?
        /// The earliest of its lines.
        var createdAt: Timestamp?
        /// Starts precede what has the same offset and time, ends behind it.
        var bound: Int
    }

    struct Version {
        /// In the order of the version.
        var entries: [Int] = []
        var members: Set<Int> = []
        /// Those that have one of lower rank of their group behind them.
        var superseded: Set<Int> = []
        /// The last entry of each id.
        var winners: [ULID: Int] = [:]
    }

    // MARK: - Reading

    /// Takes in a version.
    mutating func add(_ lines: RecordLines) {
        var version = Version()
        var occurrences: [Int: Int] = [:]
        for line in lines.lines {
            guard let facts = line.facts else { continue }
            let text = LineText(bytes: lines.text(of: line))
            var entry = indices[text] ?? add(text, facts)
            indices[text] = entry
            if !version.members.insert(entry).inserted {
                let occurrence = occurrences[entry, default: 1] + 1
                occurrences[entry] = occurrence
                let repetition = RepeatedLine(first: entry, occurrence: occurrence)
                entry = repeatedLines[repetition] ?? add(text, facts, occurrence: occurrence)
                repeatedLines[repetition] = entry
                version.members.insert(entry)
            }
            version.entries.append(entry)
            if let id = facts.id { version.winners[id] = entry }
        }
        version.superseded = superseded(in: version.entries)
        superseded.formUnion(version.superseded)
        versions.append(version)
    }

    private mutating func add(_ text: LineText, _ facts: RecordLine.Facts, occurrence: Int = 1) -> Int {
        let group = group(of: text, facts)
        groups[group].createdAt = [groups[group].createdAt, facts.createdAt].compactMap(\.self).min()
        groups[group].bound = min(groups[group].bound, Self.bound(facts.detail))
        entries.append(Entry(text: text, occurrence: occurrence, facts: facts, group: group))
        return entries.count - 1
    }

    private mutating func group(of text: LineText, _ facts: RecordLine.Facts) -> Int {
        let key = GroupKey(
            id: facts.id, text: facts.id == nil ? text : nil, offset: isOrderedByOffset ? facts.offset : nil)
        if let known = groupIndices[key] { return known }
        groups.append(Group(id: key.id, text: key.text, offset: key.offset, bound: .max))
        groupIndices[key] = groups.count - 1
        return groups.count - 1
    }

    private static func bound(_ detail: String?) -> Int {
        switch detail.flatMap(TimelineEntry.Kind.init(rawValue:)) {
        case .sessionStart: -1
        case .sessionEnd: 1
        default: 0
        }
    }

    /// Of action runs the status tells the order, so there nothing is superseded: what has ended has ended.
    private func superseded(in version: [Int]) -> Set<Int> {
        guard kind != .action else { return [] }
        var superseded: Set<Int> = []
        var lowest: [Int: Int] = [:]
        for entry in version.reversed() {
            let group = entries[entry].group
            if let other = lowest[group], ranks(other, before: entry) {
                superseded.insert(entry)
            } else {
                lowest[group] = entry
            }
        }
        return superseded
    }

    // MARK: - Order

    /// Rule 3 of docs/spec/format.md#rules-across-lines-and-files.
    private var isOrderedByOffset: Bool { kind == .timeline || kind == .transcript }

    /// All entries in the order in which they are to stand.
    func order() -> [Int] {
        let canonical = canonicalOrder()
        let complete = versions.filter { version in
            version.members.count == entries.count && version.superseded.count == superseded.count
                && version.entries != canonical && isSorted(version.entries)
        }
        // Of several the one whose text is the greatest; any choice would do that does not ask which is the
        // file.
        return complete.map(\.entries).max(by: isTextBefore) ?? canonical
    }

    private func canonicalOrder() -> [Int] {
        entries.indices.sorted { left, right in
            let (one, two) = (entries[left].group, entries[right].group)
            if one != two { return precedes(groups[one], groups[two]) }
            let (isFirstOld, isSecondOld) = (superseded.contains(left), superseded.contains(right))
            return isFirstOld == isSecondOld ? ranks(left, before: right) : isFirstOld
        }
    }

    /// Whether an order keeps what the format asks for: rule 3, and a run's end behind its start.
    private func isSorted(_ order: [Int]) -> Bool {
        if isOrderedByOffset {
            let offsets = order.compactMap { entries[$0].facts.offset }
            return zip(offsets, offsets.dropFirst()).allSatisfy { $0 <= $1 }
        }
        guard kind == .action else { return true }
        var last: [Int: Int] = [:]
        return order.allSatisfy { entry in
            let previous = last.updateValue(entry, forKey: entries[entry].group)
            return previous.map { ranks($0, before: entry) } ?? true
        }
    }

    private func isTextBefore(_ one: [Int], _ two: [Int]) -> Bool {
        let different = zip(one, two).first { entries[$0].text != entries[$1].text }
        return different.map { entries[$0].text < entries[$1].text } ?? false
    }

    /// By offset where that is the file's order, else by time; what has neither comes last.
    private func precedes(_ one: Group, _ two: Group) -> Bool {
        if one.offset != two.offset { return isBefore(one.offset, two.offset) }
        if one.createdAt != two.createdAt { return isBefore(one.createdAt, two.createdAt) }
        if one.bound != two.bound { return one.bound < two.bound }
        if one.id != two.id { return isBefore(one.id, two.id) }
        return isBefore(one.text, two.text)
    }

    private func isBefore<Value: Comparable>(_ one: Value?, _ two: Value?) -> Bool {
        guard let one else { return false }
        return two.map { one < $0 } ?? true
    }

    /// The order of a group's lines where nothing is superseded: what ends an action run after what starts
    /// it, later ones after earlier ones, then by their bytes.
    private func ranks(_ left: Int, before right: Int) -> Bool {
        let (one, two) = (entries[left], entries[right])
        if kind == .action {
            let (first, second) = (ends(one.facts), ends(two.facts))
            if first != second { return !first }
        }
        let (early, late) = (one.facts.createdAt, two.facts.createdAt)
        // A line without a readable time is the weaker one.
        if early != late { return late.map { late in early.map { $0 < late } ?? true } ?? false }
        if one.text != two.text { return one.text < two.text }
        return one.occurrence < two.occurrence
    }

    private func ends(_ facts: RecordLine.Facts) -> Bool {
        facts.detail == ActionRun.Status.succeeded.rawValue
            || facts.detail == ActionRun.Status.failed.rawValue
    }

    // MARK: - The result

    /// The last entry of each id.
    func lastEntries(of order: [Int]) -> [ULID: Int] {
        var last: [ULID: Int] = [:]
        for entry in order { if let id = entries[entry].facts.id { last[id] = entry } }
        return last
    }

    /// The ids of which a version's last line gave way to one that nobody wrote in its knowledge.
    func undecided(_ winners: [ULID: Int]) -> [ULID] {
        var ids: Set<ULID> = []
        for version in versions {
            for (id, mine) in version.winners {
                guard let winner = winners[id], winner != mine, entries[winner].text != entries[mine].text,
                    !superseded.contains(mine), !ids.contains(id)
                else { continue }
                let isKnown = versions.contains { $0.members.contains(winner) && $0.members.contains(mine) }
                if !isKnown { ids.insert(id) }
            }
        }
        return ids.sorted()
    }
}
