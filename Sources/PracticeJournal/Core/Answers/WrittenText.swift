internal import RecordFormat

/// What a write did, as people read it: in one line, and the game first.
///
/// Source: docs/practice.md#writing.
struct WrittenText {
    private let document: PracticeDocument
    private let library: GameLibrary
    private let redaction: NameRedaction

    /// - Parameters:
    ///   - document: As it was before.
    ///   - redaction: Whom the line is not to name.
    init(_ document: PracticeDocument, library: GameLibrary, redaction: NameRedaction) {
        self.document = document
        self.library = library
        self.redaction = redaction
    }

    /// Nil for a change of which there is nothing to say in a line.
    func text(of change: DocumentChange) throws(FormatError) -> String? {
        if let row = change.added.first(where: { $0.array == .journalEntries }) {
            return try text(ofRow: row.json.bytes)
        }
        if let row = change.replaced.first(where: { $0.place.array == .journalEntries }) {
            return try text(ofRow: document.text(of: row)).map { "changed: \($0)" }
        }
        if let place = change.removed.first(where: { $0.array == .journalEntries }) {
            return text(of: document.rows[place.index]).map { "deleted: \($0)" }
        }
        return try groups(change) ?? members(change)
    }

    /// A look at something of the library.
    func text(of entry: LogEntry) -> String {
        "\(library.name(of: library.canonical(entry.game).id)): \(entry.brief)"
    }

    /// Slots that hold something else now.
    func text(of changes: [ResumeSlots.Change]) -> String {
        changes.map { "\($0.slot.rawValue): \($0.text.isBlank ? "empty" : $0.text)" }.joined(separator: "; ")
    }

    // MARK: - Rows

    private func text(ofRow bytes: [UInt8]) throws(FormatError) -> String? {
        try Self.read(bytes) { JournalRow(RecordReader(value: $0, unit: document.dateUnit)) }.flatMap(text)
    }

    private static func read<Record>(
        _ bytes: [UInt8], _ record: (JSONValue) -> Record
    ) throws(FormatError) -> Record? {
        let parser = try JSONParser()
        return try? parser.withParsed(bytes, record)
    }

    private func text(of row: JournalRow) -> String? {
        let shown = row.shown(by: redaction)
        let game = library.canonical(shown.game).id
        return game.isEmpty
            ? RowText.brief(shown) : "\(library.name(of: game)): \(RowText.brief(shown))"
    }

    // MARK: - Groups

    private func groups(_ change: DocumentChange) throws(FormatError) -> String? {
        if let group = change.added.first(where: { $0.array == .customGroups }) {
            return try self.group(group.json.bytes).map { "group \($0)" }
        }
        let changed = change.replaced.filter { $0.place.array == .customGroups }
        var texts: [String] = []
        for replacement in changed {
            if let text = try group(document.text(of: replacement)) { texts.append(text) }
        }
        if !texts.isEmpty { return "changed: \(texts.joined(separator: "; "))" }
        let gone = change.removed.filter { $0.array == .customGroups }.map { document.groups[$0.index].name }
        if !gone.isEmpty { return "deleted: \(gone.joined(separator: "; "))" }
        guard let order = change.groupOrder else { return nil }
        let names = Dictionary(
            document.groups.compactMap { group in group.id.map { (UUIDText.key($0), group.name) } },
            uniquingKeysWith: { one, _ in one })
        return "groups: \(order.compactMap { names[$0] }.joined(separator: "; "))"
    }

    /// `Spring (active, priority): Comet Racer, Deep Reef`.
    private func group(_ bytes: [UInt8]) throws(FormatError) -> String? {
        let group = try Self.read(bytes) { PracticeGroup(RecordReader(value: $0, unit: document.dateUnit)) }
        guard let group else { return nil }
        let state = group.isArchived ? "archived" : group.isActive ? "active" : "inactive"
        let games = library.canonical(group.games).map { library.name(of: $0) }.joined(separator: ", ")
        return "\(group.name) (\(state)\(group.isPriority ? ", priority" : "")): \(games)"
    }

    // MARK: - Members

    private func members(_ change: DocumentChange) -> String? {
        let selected = DocumentChange.MemberChange.selectedGroupName
        let texts = change.members.filter { !$0.isImplied }.map { member -> String in
            let value = member.value.map { Self.value($0) }
            if let object = PracticeSettingsObject(rawValue: member.object),
                let setting = SettingText(object, member.member)
            {
                return "\(setting.label): \(setting.shown(value, redaction))"
            }
            if member.member == selected {
                let group = document.groups.first { $0.id == value }
                return "selected: \(group?.name ?? "no group")"
            }
            let isOfGame = PracticeMap(rawValue: member.object) != nil
            let name = isOfGame ? library.name(of: library.canonical(member.member).id) : member.member
            guard let value else { return "\(name): nothing in \(member.object)" }
            return "\(name): \(value)"
        }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    /// A text without its quotes, and anything else as it is written.
    private static func value(_ json: JSONText) -> String {
        json.bytes.first == UInt8(ascii: "\"")
            ? json.bytes.withUnsafeBytes { JSONText.unescaped($0) }
            : String(decoding: json.bytes, as: UTF8.self)
    }
}
