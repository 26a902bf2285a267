internal import RecordFormat

/// A machine of the catalogue: one of several of which a game may have been built.
///
/// Source: docs/spec/practice.md#the-catalogue.
struct CatalogueMachine: Sendable {
    let id: String
    /// Without what is in parentheses at its end.
    let name: String
    /// What is in parentheses there, if it is the name of a variant.
    let variant: String?
    let manufacturer: String?
    let manufacturerID: Int?
    let year: Int?
    /// `em`, `ss` or `me`.
    let type: String?
    let display: String?
    let hasBackglass: Bool
    let playfieldURL: String?
    private let sortedName: String

    /// Nil if it has no id or no name, or is no machine.
    init?(_ record: JSONValue) {
        guard let id = record.text("opdb_id"), let name = record.said("name"),
            record[name: "is_machine"]?.boolean != false
        else { return nil }
        self.id = id
        sortedName = name.lowercased()
        let parts = Self.parts(of: name)
        self.name = parts.name
        variant = parts.ending.flatMap(Self.variant)
        let maker = record[name: "manufacturer"]
        manufacturer = maker?.said("name")
        manufacturerID = maker?.integer("manufacturer_id")
        let date = record.text("manufacture_date")?.prefix(4) ?? ""
        year = date.utf8.count == 4 && date.utf8.allSatisfy(\.isASCIIDigit) ? Int(date) : nil
        type = record.said("type")
        display = record.said("display")
        let images = record.list("images")
        hasBackglass = images.contains { Self.url(of: $0, type: "backglass") != nil }
        let playfields = images.filter { Self.url(of: $0, type: "playfield") != nil }
        playfieldURL = (playfields.first { $0[name: "primary"]?.boolean == true } ?? playfields.first)
            .flatMap { Self.url(of: $0, type: "playfield") }
    }

    private static func url(of image: JSONValue, type: String) -> String? {
        guard image.text("type")?.lowercased() == type else { return nil }
        return image[name: "urls"]?.url("large", "medium")
    }

    private static func parts(of name: String) -> (name: String, ending: String?) {
        guard name.hasSuffix(")"), let start = name.lastIndex(of: "("),
            let shown = String(name[..<start]).trimmedOrNil
        else { return (name, nil) }
        return (shown, String(name[name.index(after: start)...].dropLast()).trimmedOrNil)
    }

    /// Nil for what is not known to be a variant's name.
    private static func variant(_ ending: String) -> String? {
        let word = ending.lowercased()
        return switch word {
        case "le", "ce", "se": word.uppercased()
        case "limited edition": "LE"
        case "special edition": "SE"
        case _ where word.hasPrefix("collector"): "CE"
        case "premium", "pro", "home", "arcade", "wizard", "premium/le": ending
        case _ where word.contains("anniversary"): ending
        default: nil
        }
    }

    /// Whether it stands for its game rather than another machine of it.
    func precedes(_ other: CatalogueMachine) -> Bool { rank < other.rank }

    private var rank: (Int, Int, String, String) {
        (variant == nil ? 0 : 1, year ?? .max, sortedName, id)
    }
}
