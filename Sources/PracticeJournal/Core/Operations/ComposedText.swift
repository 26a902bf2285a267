internal import RecordFormat

/// Texts that are put together from what a person entered in several fields.
///
/// Source: practice.md, section 6, "Composed texts".
package enum ComposedText {
    /// What a practice row says.
    ///
    /// - Parameter minutes: As entered; blank for none.
    /// - Throws: ``WriteRejection`` if the minutes are not a whole number above 0.
    package static func practiceNote(
        minutes: String, category: NoteCategory = .general, note: String?
    ) throws(WriteRejection) -> String {
        var parts = [PracticeNote.session]
        if let entered = minutes.trimmedOrNil {
            guard entered.utf8.allSatisfy(\.isASCIIDigit),
                let count = Int(entered), count > 0
            else {
                throw WriteRejection(
                    "Practice minutes must be a whole number greater than 0 when entered.")
            }
            parts[0] += ": \(count) minute\(count == 1 ? "" : "s")"
        }
        if category != .general { parts.append("Focus: \(category.label)") }
        if let note = note?.withoutCarriageReturns.trimmedOrNil { parts.append(note) }
        return parts.joined(separator: ". ")
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
