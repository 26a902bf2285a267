/// What a practice row's note says: which kind of practice it was, and what was noted.
///
/// Source: docs/spec/practice.md#the-text-of-a-row.
package struct PracticeNote: Sendable, Equatable {
    /// `Practice session`, maybe with the minutes.
    package let value: String
    /// Empty if there is none.
    package let note: String

    package static let session = "Practice session"

    package init(_ text: String?) {
        let text = (text ?? "").withoutCarriageReturns.trimmed
        guard text.hasPrefix(Self.session) else {
            value = Self.session
            note = text
            return
        }
        let parts = text.split(atFirst: "\n") ?? text.split(atFirst: ". ")
        value = parts?.head ?? text
        note = parts?.tail ?? ""
    }
}
