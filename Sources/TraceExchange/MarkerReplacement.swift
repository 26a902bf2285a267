internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Which markers of a file are those that an earlier import of it brought, and what they get.
///
/// A marker keeps its id. What the file now has otherwise than before is changed in it, but for what a person has changed since; one
/// that was removed since stays away; one that the file no longer has goes, unless somebody has changed or named it.
///
/// Source: docs/exchange.md#correcting-an-import.
struct MarkerReplacement {
    /// Of the file's markers that an earlier import brought.
    private(set) var results: [Int: MarkerImport.Result] = [:]
    /// Their lines as they will be in the session.
    private(set) var lines: [Int: [UInt8]] = [:]
    private(set) var exchange = LineExchange()
    private(set) var removed: [Marker] = []
    private(set) var notices: [ImportNotice] = []
    /// The markers that are in the file, or go.
    private var settled: Set<ULID> = []

    /// Whether a marker of the session is one of the file's already, or goes: what else the file has is not compared with it.
    func isGivenAgain(_ id: ULID) -> Bool { settled.contains(id) }

    init(of earlier: EarlierImport, by list: MarkerImport) throws {
        let pairs = Pairs(of: earlier, by: list)
        settled = Set(pairs.entries.values)
        var edited: [String] = []
        var gone: [String] = []
        for (number, id) in pairs.entries.sorted(by: { $0.key < $1.key }) {
            guard let brought = earlier.markers[id] else { continue }
            let new = list.line(of: list.entries[number])
            guard let last = brought.last else {
                results[number] = .staysRemoved
                gone.append(Self.name(of: brought.line, list))
                continue
            }
            let keepsTime = !list.entries[number].hasOwnTime
            var line = try Self.merged(last, from: brought.line, to: new, keepingTime: keepsTime)
            if brought.isEdited {
                edited.append(Self.name(of: last, list))
                exchange.given.append(
                    try Self.merged(brought.line, from: brought.line, to: new, keepingTime: keepsTime))
            }
            // What was changed by hand may not go with what the file brings.
            let place = Finding.Place(file: "", line: 1)
            if list.problem(of: line, at: place) != nil, list.problem(of: last, at: place) == nil {
                line = last
            }
            lines[number] = line
            if line == last {
                results[number] = .alreadyThere
            } else {
                results[number] = .replaced
                exchange.added += line + [newline]
                exchange.count += 1
                exchange.expected[id] = last
            }
        }
        var kept: [String] = []
        for (id, brought) in earlier.markers where !settled.contains(id) && !brought.present.isEmpty {
            guard brought.isUntouched else {
                kept.append(Self.name(of: brought.last ?? brought.line, list))
                continue
            }
            exchange.removed[id] = brought.present
            if let marker = list.marker(brought.line) { removed.append(marker) }
        }
        settled.formUnion(exchange.removed.keys)
        removed.sort { ($0.offset, $0.id) < ($1.offset, $1.id) }
        say(edited: edited, gone: gone, kept: kept.sorted(), others: earlier.otherCount)
    }

    /// What a marker is called.
    private static func name(of line: [UInt8], _ list: MarkerImport) -> String {
        guard let marker = list.marker(line) else { return "" }
        return (marker.label ?? "").isEmpty ? marker.offset.description : (marker.label ?? "").shortened
    }

    /// A marker's line with what the file has otherwise than before.
    private static func merged(
        _ current: [UInt8], from old: [UInt8], to new: [UInt8], keepingTime: Bool
    ) throws -> [UInt8] {
        var kept: Set<String> = ["id", "tags"]
        // Of an import that does not say when its markers were made, the first time counts.
        if keepingTime { kept.insert("created_at") }
        var editor = try JSONObjectEditor(current)
        try editor.takeOver(from: old, to: new, but: kept)
        // Tags are changed one by one.
        let (before, after) = (try tags(of: old), try tags(of: new))
        var edit = RecordEdit()
        edit.addedTags = after.filter { !before.contains($0) }
        edit.removedTags = before.filter { !after.contains($0) }
        if edit.addedTags.isEmpty, edit.removedTags.isEmpty { return editor.bytes }
        return try edit.applied(to: editor.bytes)
    }

    private static func tags(of line: [UInt8]) throws -> [String] {
        try JSONParser().withParsed(line) { $0[name: "tags"]?.elements.compactMap(\.string) ?? [] }
    }

    private mutating func say(edited: [String], gone: [String], kept: [String], others: Int) {
        func add(_ names: [String], _ message: String, cure: Cure? = nil) {
            notices.append(
                ImportNotice(
                    .earlierImport, count: names.count, names: Array(names.filter { !$0.isEmpty }.prefix(10)),
                    message, cure: cure))
        }
        if !edited.isEmpty {
            add(
                edited,
                edited.count == 1
                    ? "the marker '\(edited[0])' was edited since: what was changed in it stays"
                    : "\(edited.count) markers were edited since: what was changed in them stays")
        }
        if !gone.isEmpty {
            add(
                gone,
                gone.count == 1
                    ? "the marker '\(gone[0])' was removed since: it stays away"
                    : "\(gone.count) markers were removed since: they stay away",
                cure: "import the file again without \(option: "replace") to add what is missing")
        }
        if !kept.isEmpty {
            add(
                kept,
                kept.count == 1
                    ? "the marker '\(kept[0])' is not in the file any more, but was edited or named by a voice note since: it stays"
                    : "\(kept.count) markers are not in the file any more, but were edited or named by a voice note since: they stay",
                cure: "remove what is not needed with \(verb: "marker remove")")
        }
        if others > 0 {
            notices.append(
                ImportNotice(
                    .earlierImport, count: others,
                    "\(counted(others, "earlier import")) of a file of this name with other contents \(others == 1 ? "stays" : "stay") as \(others == 1 ? "it is" : "they are")",
                    cure: "\(option: "replace-import") replaces the one whose id it gets"))
        }
    }
}

extension MarkerReplacement {
    /// Which entry of the file is which marker of the earlier import.
    fileprivate struct Pairs {
        private(set) var entries: [Int: ULID] = [:]

        private struct Candidates {
            var old: [(key: MarkerImport.DedupKey, id: ULID)] = []
            var new: [(key: MarkerImport.DedupKey, number: Int)] = []
        }

        /// By the ids of the file; else those of one title in the order of their offsets: of the same contents where there are as many, else
        /// those that are at one offset, and then the rest where there are as many.
        init(of earlier: EarlierImport, by list: MarkerImport) {
            var paired: Set<ULID> = []
            var byTitle: [Int: Candidates] = [:]
            for (number, entry) in list.entries.enumerated() where !entry.isSuperseded && !entry.hasOwnID {
                byTitle[entry.dedupKey.title, default: Candidates()].new.append((entry.dedupKey, number))
            }
            for (id, number) in list.bearers where earlier.markers[id] != nil {
                entries[number] = id
                paired.insert(id)
            }
            guard !byTitle.isEmpty else { return }
            for (id, brought) in earlier.markers where !paired.contains(id) {
                guard let marker = list.marker(brought.line) else { continue }
                let key = list.dedupKey(of: marker)
                byTitle[key.title]?.old.append((key, id))
            }
            for candidates in byTitle.values where !candidates.old.isEmpty {
                pair(candidates, isSameFile: earlier.isSameFile)
            }
        }

        private mutating func pair(_ candidates: Candidates, isSameFile: Bool) {
            var old = candidates.old.sorted { ($0.key.offset, $0.id) < ($1.key.offset, $1.id) }
            var new = candidates.new.sorted { ($0.key.offset, $0.number) < ($1.key.offset, $1.number) }
            if !isSameFile || old.count != new.count {
                var there = Dictionary(grouping: old, by: \.key).mapValues { $0.map(\.id)[...] }
                new.removeAll { key, number in
                    guard let id = there[key]?.popFirst() else { return false }
                    entries[number] = id
                    return true
                }
                let left = Set(there.values.joined())
                old.removeAll { !left.contains($0.id) }
                guard old.count == new.count else { return }
            }
            for (old, new) in zip(old, new) { entries[new.number] = old.id }
        }
    }
}
