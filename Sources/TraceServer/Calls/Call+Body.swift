internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceText

extension Call {
    /// Reads the body, one JSON object.
    ///
    /// - Parameters:
    ///   - names: The members that it may have.
    ///   - take: Gets the object, valid for the length of the call.
    /// - Throws: ``Problem`` with 422 for other members, or if it is not one JSON object; what `take` throws.
    func object<Result>(_ names: [String], _ take: (JSONValue) throws -> Result) throws -> Result {
        var failure: (any Error)?
        do {
            return try JSONParser().withParsed(body) { root in
                do {
                    try Self.check(root, names)
                    return try take(root)
                } catch {
                    failure = error
                    throw error
                }
            }
        } catch {
            if let failure { throw failure }
            let failure = body.withUnsafeBytes { JSONScanner.failure(in: $0) }
            let report = failure.map { "byte \($0.position): \($0.reason)" } ?? "\(error)"
            throw Problem(
                .unprocessableContent, "json-malformed", "the body is not JSON: \(report)",
                cure: "send one JSON object in UTF-8")
        }
    }

    private static func check(_ root: JSONValue, _ names: [String]) throws(Problem) {
        guard root.kind == .object else {
            throw Problem(
                .unprocessableContent, "json-malformed", "the body is not a JSON object",
                cure: "send one object: {…}")
        }
        var seen: Set<String> = []
        for (name, _) in root.members {
            let name = String(decoding: name, as: UTF8.self)
            guard names.contains(name) else {
                throw Problem(
                    .unprocessableContent, "member-unknown", "unknown member '\(name.prefix(60))'",
                    cure: "use one of: \(names.joined(separator: ", "))")
            }
            guard seen.insert(name).inserted else {
                throw Problem.memberRepeated(name)
            }
        }
    }
}

extension JSONValue {
    /// A member that is a string, or not there.
    ///
    /// - Throws: ``Problem`` with 422 for another value.
    func text(_ name: StaticString) throws(Problem) -> String? {
        guard let value = self[name: name], value.kind != .null else { return nil }
        guard let text = value.string else { throw Problem.member("\(name)", "a string") }
        return text
    }

    /// A member that is a whole number, or not there.
    func whole(_ name: StaticString) throws(Problem) -> Int64? {
        guard let value = self[name: name], value.kind != .null else { return nil }
        guard let number = value.integer else { throw Problem.member("\(name)", "a whole number") }
        return number
    }

    /// A member that is true or false; false if it is not there.
    func truth(_ name: StaticString) throws(Problem) -> Bool {
        guard let value = self[name: name], value.kind != .null else { return false }
        guard let truth = value.boolean else { throw Problem.member("\(name)", "true or false") }
        return truth
    }

    /// A member that is an array of strings; empty if it is not there.
    func texts(_ name: StaticString) throws(Problem) -> [String] {
        guard let value = self[name: name], value.kind != .null else { return [] }
        let texts = value.kind == .array ? value.elements.map(\.string) : [nil]
        guard !texts.contains(nil) else { throw Problem.member("\(name)", "an array of strings") }
        return texts.compactMap(\.self)
    }
}

extension Problem {
    /// A member of a body that can't have its value.
    static func member(_ name: String, _ type: String) -> Problem {
        Problem(
            .unprocessableContent, "member-malformed", "'\(name)' is not \(type)",
            cure: "send \(type), or leave it out")
    }

    /// A member of a body that is there twice.
    static func memberRepeated(_ name: String) -> Problem {
        Problem(
            .unprocessableContent, "member-repeated", "the member '\(name.prefix(60))' is given twice",
            cure: "send it once")
    }

    /// A write that needs `If-Match`, and does not have it.
    static let conditionNeeded = Problem(
        HTTPResponse.Status(code: 428, reasonPhrase: "Precondition Required"), "condition-needed",
        "If-Match is missing", cure: "send the ETag of the version that you have read")
}
