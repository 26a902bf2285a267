internal import RecordFormat

/// What the text of an older row says: which task, how far, and what was noted.
///
/// Source: docs/spec/practice.md#rows-of-the-older-form. The forms are read by hand and in one pass each: they are regular
/// expressions there, which a long text could keep busy for ever.
struct LegacySummary: Equatable {
    let task: StudyTask
    /// How far: a percent or a time; nil if the text does not say.
    var value: String?
    var note: String?
    /// Whether the text has none of the known forms.
    var isGuess = false

    private init(_ task: StudyTask, value: String? = nil, note: String? = nil, isGuess: Bool = false) {
        self.task = task
        self.value = value
        self.note = note
        self.isGuess = isGuess
    }

    /// - Parameter isPractice: Whether the row's action is `practice`, and not `study`.
    init(_ text: String, isPractice: Bool) {
        let text = text.withoutCarriageReturns
        self =
            Self.card(text) ?? (isPractice ? Self.practice(text) : nil) ?? Self.read(text.trimmed)
            ?? Self.watched(text.trimmed) ?? Self.viewed(text.trimmed)
            ?? Self(.rulesheet, value: text.trimmed, note: text.trimmedOrNil, isGuess: true)
    }

    /// The percent that the value names: up to three digits before `%`, clamped.
    var percent: Int? {
        guard let value else { return nil }
        let text = Array(value.utf8)
        for position in text.indices where text[position] == UInt8(ascii: "%") {
            let before = text[..<position].reversed().drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
            let digits = before.prefix(while: \.isASCIIDigit).prefix(3)
            guard !digits.isEmpty else { continue }
            return min(digits.reversed().reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }, 100)
        }
        return nil
    }

    /// A clock has a colon.
    var videoKind: VideoKind { value?.utf8.contains(UInt8(ascii: ":")) ?? false ? .clock : .percent }

    // MARK: - On several lines

    /// A heading, a line with the value, lines of the note, and the game behind a bullet.
    private static func card(_ text: String) -> LegacySummary? {
        let lines = text.trimmed.lines
        guard lines.count >= 3, let heading = lines.first, let task = headings[heading.trimmed],
            let last = lines.last, last.hasPrefix("• ")
        else { return nil }
        let value = lines[1].trimmed
        let note = lines[2..<(lines.count - 1)].joined(separator: "\n").trimmedOrNil
        guard task == .practice else {
            let progress = "Progress: "
            return Self(
                task, value: value.hasPrefix(progress) ? String(value.dropFirst(progress.count)) : nil,
                note: note)
        }
        let parts = [value == PracticeNote.session ? nil : value.trimmedOrNil, note].compactMap { $0 }
        return Self(task, note: parts.isEmpty ? nil : parts.joined(separator: "\n"))
    }

    private static let headings: [String: StudyTask] = [
        "Rulesheet:": .rulesheet, "Tutorial Video:": .tutorialVideo, "Gameplay Video:": .gameplayVideo,
        "Playfield:": .playfield, "Practice:": .practice,
    ]

    // MARK: - On one line

    /// `20 minutes on Deep Reef: ramps only`, `Practice progress 45% on Deep Reef`
    private static func practice(_ text: String) -> LegacySummary {
        let parts = text.split(atFirst: ": ")
        let head = parts?.head ?? text
        let value = (head.split(atFirst: " on ")?.head ?? head).trimmedOrNil ?? PracticeNote.session
        let isProgress = value.hasPrefix(progressStart) && value.hasSuffix("%")
        return Self(
            .practice, value: isProgress ? value : nil,
            note: parts?.tail.trimmedOrNil ?? (value == PracticeNote.session ? nil : value))
    }

    /// What the value of a practice begins with that says how far it went.
    private static let progressStart = "Practice progress "

    /// `Read 40% of Comet Racer rulesheet: slowly`
    private static func read(_ text: String) -> LegacySummary? {
        var reader = SentenceReader(text)
        guard reader.skip("read"), reader.skipSpace(), let end = reader.end(with: "rulesheet"),
            let of = reader.first("of", before: end.position)
        else { return nil }
        return Self(.rulesheet, value: of, note: end.note)
    }

    /// `Tutorial progress on Comet Racer: 60%: good part`
    private static func watched(_ text: String) -> LegacySummary? {
        var reader = SentenceReader(text)
        let task: StudyTask
        if reader.skip("tutorial progress on ") {
            task = .tutorialVideo
        } else if reader.skip("gameplay progress on ") {
            task = .gameplayVideo
        } else {
            return nil
        }
        guard let rest = reader.behindColon() else { return nil }
        let parts = rest.split(atFirst: ": ")
        return Self(
            task, value: (parts?.head ?? rest).trimmedOrNil ?? "0%", note: parts?.tail.trimmedOrNil)
    }

    /// `Viewed Deep Reef playfield`
    private static func viewed(_ text: String) -> LegacySummary? {
        var reader = SentenceReader(text)
        guard reader.skip("viewed "), let end = reader.end(with: "playfield", isAfterBlank: true) else {
            return nil
        }
        return Self(.playfield, note: end.note)
    }
}
