internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Takes back what a write has changed in a document: the old bytes of exactly these members are put back.
struct MemberUndo {
    private let document: PracticeDocument
    private let path: FilePath
    private let isHalfDone: Bool
    /// What is to be written; nothing where all is as it was before the write.
    private(set) var change = DocumentChange()
    private(set) var actions: [UndoStep.Action] = []
    private var members: [DocumentChange.Place: [(name: String, value: JSONText?)]] = [:]
    /// The keys of its records, once one was looked for by its text.
    private var keys: [PracticeArray: [String]]?

    /// - Parameter isHalfDone: Whether this was begun and cut short: what is gone already was removed by it.
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if one of the members was changed since; ``FormatError``.
    init(
        of changes: [MemberChange], isHalfDone: Bool, in document: PracticeDocument, at path: FilePath
    ) throws {
        self.document = document
        self.path = path
        self.isHalfDone = isHalfDone
        for one in changes.reversed() where !one.isOfContainer {
            if one.groupOrders != nil { continue }
            if let array = PracticeArray(rawValue: one.container) {
                if let member = one.member {
                    try restore(member, one, array)
                } else {
                    try restore(one, array)
                }
            } else {
                try restoreMember(one)
            }
        }
        change.replaced = members.map { DocumentChange.Replacement($0.key, $0.value) }
        for one in changes where one.isOfContainer { withdraw(one.container) }
        // Where the groups stand depends on which there are then.
        for one in changes.reversed() {
            if let (before, after) = one.groupOrders { try restoreOrder(before, after) }
        }
    }

    /// Takes an array or object away that the write has made, unless there is something else in it now.
    private mutating func withdraw(_ name: String) {
        if let array = PracticeArray(rawValue: name) {
            let removed = change.removed.count { $0.array == array }
            guard removed > 0, removed == document.outline.elements(of: name).count else { return }
            change.removed.removeAll { $0.array == array }
        } else {
            guard let range = document.outline.member(name)?.valueRange,
                let there = try? DocumentOutline.members(of: document.bytes, in: range)
            else { return }
            let gone = Set(change.members.filter { $0.object == name && $0.value == nil }.map(\.member))
            guard !gone.isEmpty, there.allSatisfy({ gone.contains($0.name) }) else { return }
            change.members.removeAll { $0.object == name }
        }
        change.withdrawn.append(name)
    }

    // MARK: - Records

    private mutating func restore(_ one: MemberChange, _ array: PracticeArray) throws {
        let found = try place(of: one, array)
        let name = one.name(array)
        if let before = one.before {
            if let found {
                // What was cut short has put it back already.
                guard JSONText.isEquivalent(Array(document.text(of: array, found.index)), before) else {
                    throw unsafe("\(name) is there again")
                }
                return
            }
            change.added.append(try record(before, array, one))
            actions.append(.init(.restore, name))
        } else if let after = one.after {
            guard let found else {
                // Of one that goes by its text nobody can tell which of the two it was.
                if one.isByText, !isHalfDone { throw unsafe("\(name) has been edited or removed since") }
                return
            }
            guard JSONText.isEquivalent(Array(document.text(of: array, found.index)), after) else {
                throw unsafe("\(name) has been edited since")
            }
            change.removed.append(found)
            actions.append(.init(.remove, name))
        }
    }

    private func record(_ text: [UInt8], _ array: PracticeArray, _ one: MemberChange) throws -> NewRecord {
        let number = try JSONParser().withParsed(text) { $0[name: array.timeMember]?.number }
        let members = try DocumentOutline.members(of: text, in: 0..<text.count)
        return NewRecord(
            array, id: one.isByText ? "" : one.id,
            time: number.map { document.dateUnit.read($0).milliseconds } ?? 0,
            copying: members.map { ($0.name, JSONText(verbatim: text[$0.valueRange])) })
    }

    private mutating func restore(_ member: String, _ one: MemberChange, _ array: PracticeArray) throws {
        guard let place = try place(of: one, array) else {
            throw unsafe("\(array.noun) \(one.id) is no longer there")
        }
        let editor = try JSONObjectEditor(Array(document.text(of: array, place.index)))
        let now = try editor.text(of: member).map { JSONText.compacted(Array($0)) }
        if Self.isSame(now, one.before) { return }
        guard Self.isSame(now, one.after) else {
            throw unsafe("\(member) of \(array.noun) \(one.id) has been changed since")
        }
        members[place, default: []].append((member, one.before.map { JSONText(verbatim: $0) }))
        actions.append(.init(.restore, "\(member) of \(array.noun) \(one.id)"))
    }

    private mutating func place(
        of one: MemberChange, _ array: PracticeArray
    ) throws -> DocumentChange.Place? {
        guard !one.isByText else { return try place(byText: one, array) }
        let found = document.indices(of: array, id: one.id)
        guard found.count < 2 else { throw unsafe("\(found.count) records have the id \(one.id)") }
        return found.first.map { DocumentChange.Place(array, $0) }
    }

    /// Where a record is that goes by its text.
    private mutating func place(
        byText one: MemberChange, _ array: PracticeArray
    ) throws -> DocumentChange.Place? {
        guard one.member == nil, let text = one.after ?? one.before else {
            throw unsafe("a record of \(array.rawValue) has no id")
        }
        let known = try keys ?? DocumentValues(document).orders
        keys = known
        // A merge may have put its members into another order. Of equal ones the last came last.
        let repetition = one.id.drop { "\($0)" != MergeKey.repetition }
        let wanted = [one.id, MergeKey.text(of: text[...]) + repetition]
        let index = known[array]?.lastIndex { wanted.contains($0) }
        return index.map { DocumentChange.Place(array, $0) }
    }

    /// Puts the groups back into their order, and those that come back where they were in it.
    private mutating func restoreOrder(_ before: [String], _ after: [String]) throws {
        let now = try DocumentValues(document).groupOrder
        let restored = try DocumentValues(PracticeDocument.rereading(document.applying(change))).groupOrder
        var wanted = restored.filter { now.contains($0) || !before.contains($0) }
        if before.isReordered(in: after), before.isReordered(in: now) {
            guard !after.isReordered(in: now) else {
                throw unsafe("the order of the groups has been changed since")
            }
            wanted = wanted.ordered(as: before)
            actions.append(.init(.restore, "the order of the groups"))
        }
        for (index, key) in before.enumerated() where restored.contains(key) && !wanted.contains(key) {
            let place = before[..<index].last.flatMap(wanted.firstIndex(of:)).map { $0 + 1 }
            wanted.insert(key, at: place ?? wanted.startIndex)
        }
        if wanted != restored { change.groupOrder = wanted }
    }

    // MARK: - Objects

    private mutating func restoreMember(_ one: MemberChange) throws {
        guard let member = one.member else { return }
        guard !one.container.isEmpty else { return try restoreOther(member, one) }
        let now = try document.text(of: one.container, member: member).map(JSONText.compacted)
        if Self.isSame(now, one.before) { return }
        guard Self.isSame(now, one.after) else {
            throw unsafe("\(member) of \(one.container) has been changed since")
        }
        change.members.append(.init(one.container, member, one.before.map { JSONText(verbatim: $0) }))
        actions.append(.init(.restore, "\(member) of \(one.container)"))
    }

    /// A member of the top level itself.
    private mutating func restoreOther(_ member: String, _ one: MemberChange) throws {
        let now = document.outline.member(member).map {
            JSONText.compacted(Array(document.bytes[$0.valueRange]))
        }
        if Self.isSame(now, one.before) { return }
        guard Self.isSame(now, one.after) else { throw unsafe("\(member) has been changed since") }
        change.others.append((member, one.before.map { JSONText(verbatim: $0) }))
        actions.append(.init(.restore, member))
    }

    private static func isSame(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one == other || JSONText.isEquivalent(one, other)
    }

    private func unsafe(_ message: String) -> StoreError {
        StoreError(
            .unsafeToUndo, message, path: path,
            cure: ["make the change by hand", "\(verb: "undo --skip") skips this write"])
    }
}

extension MemberChange {
    /// Whether the record goes by its text: it has no id, or one that an earlier record has.
    fileprivate var isByText: Bool { id.isEmpty || MergeKey.isOfText(id) }

    /// For people: what record it is.
    fileprivate func name(_ array: PracticeArray) -> String {
        guard isByText, let text = after ?? before else { return "\(array.noun) \(id)" }
        let shown = String(decoding: text, as: UTF8.self)
        return
            "\(array.noun) without an id of its own: \(shown.prefix(Self.longestText))\(shown.count > Self.longestText ? "…" : "")"
    }

    /// In characters.
    private static let longestText = 120

    /// Whether it says that the array or object as a whole was made.
    fileprivate var isOfContainer: Bool { member == nil && before == nil && after == nil }
}
