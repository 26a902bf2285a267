/// The name of a machine as it is compared: in lower case, `and` for `&`, letters, marks and digits alone.
///
/// Source: docs/spec/practice.md#league-tables.
package struct MachineKey: Sendable, Hashable {
    package let text: String

    package init(_ name: String) {
        var scalars = String.UnicodeScalarView()
        for scalar in name.lowercased().unicodeScalars {
            if scalar == "&" {
                scalars.append(contentsOf: "and".unicodeScalars)
            } else if Self.isKept(scalar) {
                scalars.append(scalar)
            }
        }
        text = String(scalars)
    }

    /// Whether there is nothing by which a machine could be known.
    var isEmpty: Bool { text.isEmpty }

    /// Equal, or one is another name of the other.
    func isSameMachine(as other: MachineKey) -> Bool {
        self == other || Self.aliases[text]?.contains(other.text) ?? false
            || Self.aliases[other.text]?.contains(text) ?? false
    }

    /// The other names of the machine, whichever of them this is.
    var otherNames: [MachineKey] {
        let known = Self.aliases[text] ?? []
        let names = known + Self.aliases.filter { $0.value.contains(text) }.map(\.key)
        return names.map { MachineKey($0) }
    }

    /// Whether one name has the other one within it.
    func contains(orIsIn other: MachineKey) -> Bool {
        if isEmpty || other.isEmpty { return false }
        let (one, two) = (Array(text.utf8), Array(other.text.utf8))
        return one.count < two.count ? two.contains(one) : one.contains(two)
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// Other names of machines, as the app knows them.
    private static let aliases: [String: [String]] = [
        "tmnt": ["teenagemutantninjaturtles"], "thegetaway": ["thegetawayhighspeedii"],
        "starwars2017": ["starwars"], "jurassicparkstern2019": ["jurassicpark", "jurassicpark2019"],
        "attackfrommars": ["attackfrommarsremake"], "dungeonsanddragons": ["dungeonsdragons"],
    ]
}
