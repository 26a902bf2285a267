/// The conditions of a query, with the arguments in the order of their `?`.
struct Conditions {
    private var texts: [String] = []
    private(set) var arguments: [(any SQLArgument)?] = []

    var sql: String { texts.isEmpty ? "1" : texts.joined(separator: " AND ") }

    mutating func add(_ text: String, _ arguments: any SQLArgument...) { add(text, arguments) }

    mutating func add(_ text: String, _ arguments: [any SQLArgument]) {
        texts.append(text)
        self.arguments += arguments
    }

    /// That a record has all of these tags.
    mutating func add(tags: [String]) {
        for tag in tags {
            let spellings = TagText.arguments(tag)
            add(TagText.condition(spellings.map { _ in "?" }), spellings)
        }
    }
}
