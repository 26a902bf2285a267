/// A skill with the flippers, and how it is recognised in what a player wrote.
///
/// Source: docs/spec/practice.md#mechanics.
package struct FlipperSkill: Sendable, Equatable {
    package let name: String
    /// Any of these in a text in lower case.
    private let signs: [String]

    private init(_ name: String, _ signs: String...) {
        self.name = name
        self.signs = signs
    }

    /// In the order in which they are listed.
    static let all = [
        FlipperSkill("Dead Bounce", "dead bounce", "deadbounce", "dead flip", "deadflip"),
        FlipperSkill("Post Pass", "post pass", "postpass"),
        FlipperSkill("Post Catch", "post catch", "postcatch"),
        FlipperSkill("Flick Pass", "flick pass", "flickpass"),
        FlipperSkill("Nudge Pass", "nudge pass", "nudgepass", "nudge control", "nudgecontrol"),
        FlipperSkill("Drop Catch", "drop catch", "dropcatch"),
        FlipperSkill("Live Catch", "live catch", "livecatch"),
        FlipperSkill("Shatz", "shatz", "shatzing", "alley pass", "alleypass"),
        FlipperSkill("Back Flip", "back flip", "backflip", "bang back", "bangback"),
        FlipperSkill("Loop Pass", "loop pass", "looppass"),
        FlipperSkill("Slap Save (Single)", "slap save", "slap save single", "single slap save"),
        FlipperSkill("Slap Save (Double)", "slap save double", "double slap save"),
        FlipperSkill("Air Defense", "air defense", "airdefense"),
        FlipperSkill("Cradle Separation", "cradle separation", "cradleseparation"),
        FlipperSkill("Over Under", "over under", "overunder"),
        FlipperSkill("Tap Pass", "tap pass", "tappass"),
    ]

    /// The skills that a text names, in the order of the list.
    package static func found(in text: String) -> [FlipperSkill] {
        let text = Array(text.lowercased().utf8)
        return all.filter { skill in skill.signs.contains { text.contains(Array($0.utf8)) } }
    }

    /// The note with `#` and the name of each skill that it, or what it is about, names; those that are there already are not
    /// added.
    package static func tagged(_ note: String, detail: String?) -> String {
        var note = note.trimmed
        for skill in found(in: "\(detail ?? "") \(note)") {
            let tag = "#" + skill.name.filter { $0 != " " }.lowercased()
            if !Array(note.lowercased().utf8).contains(Array(tag.utf8)) { note += " " + tag }
        }
        return note
    }
}

extension [UInt8] {
    /// Whether these bytes are in a row in it.
    func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first else { return true }
        guard count >= other.count else { return false }
        for start in 0...(count - other.count)
        where self[start] == first && self[start..<(start + other.count)].elementsEqual(other) {
            return true
        }
        return false
    }
}
