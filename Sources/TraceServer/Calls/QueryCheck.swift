internal import HTTPTypes
internal import RecordFormat
internal import TraceText

/// Whether the parameters of a query are those that an endpoint has.
enum QueryCheck {
    /// The values by name.
    ///
    /// - Throws: ``Problem`` with 400 for a parameter that there is not, or that is missing, given twice, or not of its type.
    static func values(of query: TargetQuery, _ endpoint: Endpoint) throws -> [String: [String]] {
        if !endpoint.takesAnyQuery, let unknown = query.firstName(notIn: endpoint.query.map(\.name)) {
            let names = endpoint.query.map(\.name).joined(separator: ", ")
            throw Problem(
                .badRequest, "parameter-unknown", "unknown parameter '\(unknown)'",
                cure: names.isEmpty ? "leave it out" : "use one of: \(names)")
        }
        var values: [String: [String]] = [:]
        for parameter in endpoint.query {
            let given =
                parameter.isRepeated
                ? query.values(of: parameter.name)
                : try query.value(of: parameter.name).map { [$0] } ?? []
            if given.isEmpty {
                guard !parameter.isRequired else {
                    throw Problem(
                        .badRequest, "parameter-missing", "the parameter '\(parameter.name)' is missing",
                        cure: "add it: \(parameter.summary)")
                }
                continue
            }
            for value in given where !parameter.type.allows(value) {
                throw Problem(
                    .badRequest, "parameter-malformed",
                    "'\(value.prefix(60))' is not a valid value of '\(parameter.name)'",
                    cure: "write \(parameter.type.words)")
            }
            values[parameter.name] = given
        }
        return values
    }
}

extension Parameter.ValueType {
    /// Whether a text is one. Offsets, moments and cursors are read where they are used.
    func allows(_ text: String) -> Bool {
        switch self {
        case .text(let maxLength): text.utf8.count <= maxLength
        case .choice(let words): words.contains(text)
        case .flag: ["", "true", "false"].contains(text)
        case .number(let range): Int(text).map(range.contains) ?? false
        case .offset, .moment: !text.isEmpty && text.utf8.count <= 100
        case .cursor: text.utf8.count <= Cursor.lengthLimit
        }
    }

    /// What is to be written, for a hint.
    var words: String {
        switch self {
        case .text(let maxLength): "at most \(maxLength) bytes of text"
        case .choice(let words): "one of: " + words.joined(separator: ", ")
        case .flag: "true or false"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .offset: "an offset such as 12s, 2:00 or 1h2m3s"
        case .moment: "a time such as 2026-02-04 or 2026-02-04T20:15Z"
        case .cursor: "the cursor in the Link of the previous page"
        }
    }
}
