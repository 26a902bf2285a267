/// Checks the elements of an array of tags: each that is not one, once.
package enum TagCheck {
    /// - Parameters:
    ///   - name: What the member is called.
    ///   - number: Which member of the object holds the array, from 0.
    static func check(
        _ array: JSONValue, named name: StaticString, member number: Int, _ places: inout TextPlaces,
        _ report: (Finding) -> Void
    ) {
        // Nearly always there is nothing to remember, and an empty set costs nothing.
        var told: Set<String> = []
        var index = 0
        for tag in array.elements {
            defer { index += 1 }
            guard let problem = ValueCheck.problem(ofTag: tag), told.insert(problem.message).inserted else {
                continue
            }
            let place = places.element(index, of: number)
            report(Finding(problem.rule, at: place, "the key '\(name)' \(problem.message)"))
        }
    }

    /// Whether a text may be a tag.
    ///
    /// Source: docs/spec/format.md#scalars.
    package static func isTag(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBytes { ValueCheck.isTag($0) }
    }
}
