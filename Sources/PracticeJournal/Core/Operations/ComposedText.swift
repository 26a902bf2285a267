internal import RecordFormat

/// Texts that are put together from what a person entered in several fields.
///
/// Source: docs/spec/practice.md#composed-texts.
package enum ComposedText {
    /// What a practice row says.
    ///
    /// - Parameter minutes: As entered; blank for none.
    /// - Throws: ``WriteRejection`` if the minutes are not a whole number above 0.
    package static func practiceNote(
        minutes: String, category: NoteCategory = .general, note: String?
    ) throws(WriteRejection) -> String {
        practiceNote(minutes: try self.minutes(entered: minutes), category: category, note: note)
    }

    /// - Parameter minutes: Above 0.
    static func practiceNote(minutes: Int?, category: NoteCategory, note: String?) -> String {
        var parts = [PracticeNote.session]
        if let minutes { parts[0] += ": \(minutes) minute\(minutes == 1 ? "" : "s")" }
        if category != .general { parts.append(PracticeNote.focusStart + category.label) }
        if let note = note?.withoutCarriageReturns.trimmedOrNil { parts.append(note) }
        return parts.joined(separator: ". ")
    }

    /// The minutes of a practice session; nil if none are entered.
    ///
    /// - Throws: ``WriteRejection`` if they are not a whole number above 0.
    static func minutes(entered text: String) throws(WriteRejection) -> Int? {
        guard let entered = text.trimmedOrNil else { return nil }
        guard entered.utf8.allSatisfy(\.isASCIIDigit), let count = Int(entered), count > 0 else {
            throw WriteRejection("Practice minutes must be a whole number greater than 0 when entered.")
        }
        return count
    }

    /// The note about a skill.
    ///
    /// - Parameters:
    ///   - skill: Blank for none in particular.
    ///   - competency: 1 to 5.
    package static func mechanicsNote(
        skill: String, competency: Int, note: String?
    ) throws(WriteRejection) -> String {
        guard Competency.range.contains(competency) else {
            throw WriteRejection("Choose a competency from 1 to 5.")
        }
        let name = skill.filter { !$0.isWhitespace }
        let text = "#\(name.isEmpty ? "mechanics" : name) competency \(competency)/5."
        return note?.trimmedOrNil.map { "\(text) \($0)" } ?? text
    }
}
