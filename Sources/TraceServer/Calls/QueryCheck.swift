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
                parameter.presence == .repeated
                ? query.values(of: parameter.name)
                : try query.value(of: parameter.name).map { [$0] } ?? []
            if given.isEmpty {
                guard parameter.presence != .required else {
                    throw Problem(ArgumentProblem(parameter.name, .missing), of: parameter)
                }
                continue
            }
            for value in given {
                do throws(ArgumentProblem) { _ = try parameter.read(value) } catch {
                    throw Problem(error, of: parameter, given: value)
                }
            }
            values[parameter.name] = given
        }
        return values
    }
}

extension Problem {
    /// What is wrong with a parameter of a query.
    fileprivate init(_ problem: ArgumentProblem, of parameter: DeclaredParameter, given value: String = "") {
        switch problem.reason {
        case .missing:
            self.init(
                .badRequest, "parameter-missing", "the parameter '\(parameter.name)' is missing",
                cure: "add it: \(parameter.summary)")
        case .malformed(let words):
            self.init(
                .badRequest, "parameter-malformed",
                "'\(value.prefix(60))' is not a valid value of '\(parameter.name)'",
                cure: "write \(words.asText)")
        case .unknown, .refused:
            self.init(
                .badRequest, "parameter-malformed", problem.message, cure: "write \(parameter.type.words)")
        }
    }
}
