/// What a practice row's note says: which kind of practice it was, and what was noted.
///
/// Source: docs/spec/practice.md#the-text-of-a-row.
package struct PracticeNote: Sendable, Equatable {
    /// `Practice session`, maybe with the minutes.
    let value: String
    /// Empty if there is none.
    let note: String
    /// The text as a whole.
    private let text: String

    static let session = "Practice session"
    /// What the focus begins with, behind the session.
    static let focusStart = "Focus: "

    package init(_ text: String?) {
        let text = (text ?? "").withoutCarriageReturns.trimmed
        self.text = text
        guard text.hasPrefix(Self.session) else {
            value = Self.session
            note = text
            return
        }
        let parts = text.split(atFirst: "\n") ?? text.split(atFirst: ". ")
        value = parts?.head ?? text
        note = parts?.tail ?? ""
    }

    /// What was put together in it.
    package struct Values: Sendable, Equatable {
        /// Above 0.
        package var minutes: Int?
        package var focus: NoteCategory?
        /// What the person wrote besides; nil for nothing.
        package var note: String?
    }

    /// The values that the text was composed of; a text of another form is all note.
    package var values: Values {
        var rest = text[...]
        var values = Values()
        guard Self.take(Self.session, from: &rest) else { return Values(note: text.trimmedOrNil) }
        values.minutes = Self.takeMinutes(from: &rest)
        guard Self.takeEnd(from: &rest) else { return Values(note: text.trimmedOrNil) }
        values.focus = Self.takeFocus(from: &rest)
        values.note = String(rest).trimmedOrNil
        return values
    }

    /// Takes a text off the beginning of another one, if that begins so.
    private static func take(_ text: String, from rest: inout Substring) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    /// Takes what ends a part; at the end of the text nothing does.
    private static func takeEnd(from rest: inout Substring) -> Bool {
        rest.isEmpty || take(". ", from: &rest) || take("\n", from: &rest)
    }

    /// Takes `: 15 minutes`.
    private static func takeMinutes(from rest: inout Substring) -> Int? {
        var after = rest
        guard take(": ", from: &after) else { return nil }
        let digits = after.prefix { $0.isASCII && $0.isNumber }
        after = after.dropFirst(digits.count)
        guard let count = Int(digits), count > 0, take(" minute", from: &after) else { return nil }
        _ = take("s", from: &after)
        rest = after
        return count
    }

    /// Takes `Focus: Shots`, and what ends it.
    private static func takeFocus(from rest: inout Substring) -> NoteCategory? {
        for focus in NoteCategory.allCases {
            var after = rest
            if take(focusStart + focus.label, from: &after), takeEnd(from: &after) {
                rest = after
                return focus
            }
        }
        return nil
    }
}
