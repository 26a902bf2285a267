/// Arguments that fit the parameters of a question or an operation.
package struct Arguments: Sendable, Equatable {
    private var values: [String: ArgumentValue] = [:]

    package init() {}

    package subscript<Value>(_ parameter: Parameter<Value>) -> Value {
        parameter.value(of: values[parameter.declared.name])
    }

    /// Whether a parameter was given.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// The text of a parameter; nil if it was not given, or is none.
    package func text(_ name: String) -> String? { values[name]?.string }

    /// The same with another value of a parameter; nil for none.
    package func setting<Value>(_ parameter: Parameter<Value>, to value: ArgumentValue?) -> Self {
        var copy = self
        copy.values[parameter.declared.name] = value
        return copy
    }

    /// The same with another text; nil for none.
    package func setting<Value>(_ parameter: Parameter<Value>, _ text: String?) -> Self {
        setting(parameter, to: text.map(ArgumentValue.text))
    }

    /// For people, in one line: each with its name.
    package func words(_ parameters: [DeclaredParameter]) -> String {
        parameters.flatMap { parameter -> [String] in
            guard let value = values[parameter.name] else { return [] }
            let members = parameter.isRest ? value.members ?? [] : [.init(parameter.name, value)]
            return members.map {
                "\($0.name) \($0.value.string ?? String(decoding: $0.value.json.bytes, as: UTF8.self))"
            }
        }.joined(separator: ", ")
    }

    /// As the entry of an operation with these parameters has them.
    package func json(_ parameters: [DeclaredParameter]) -> JSONText {
        .object { object in
            for parameter in parameters {
                guard let value = values[parameter.name] else { continue }
                if parameter.isRest {
                    for member in value.members ?? [] { object.member(member.name, member.value.json) }
                } else {
                    object.member(parameter.name, value.json)
                }
            }
        }
    }
}

// MARK: - As text

extension Arguments {
    /// As people type them, and as queries have them.
    ///
    /// - Parameter typed: All values of a parameter by its name; of one that counts once, the last counts.
    /// - Throws: ``ArgumentProblem``.
    package init(
        typed: [String: [String]], as parameters: [DeclaredParameter]
    ) throws(ArgumentProblem) {
        for parameter in parameters {
            let given = typed[parameter.name] ?? []
            if case .members = parameter.type {
                let members = try Self.members(typed: given, parameter)
                if !members.isEmpty || parameter.presence == .required {
                    values[parameter.name] = .object(members)
                }
                continue
            }
            guard let last = given.last else {
                if parameter.presence == .required { throw ArgumentProblem(parameter.name, .missing) }
                continue
            }
            if parameter.presence == .repeated {
                var all: [ArgumentValue] = []
                for text in given { all.append(try parameter.read(text)) }
                values[parameter.name] = .array(all)
            } else {
                values[parameter.name] = try parameter.read(last)
            }
        }
    }

    /// `name=value` each.
    private static func members(
        typed: [String], _ parameter: DeclaredParameter
    ) throws(ArgumentProblem) -> [ArgumentValue.Member] {
        var members: [ArgumentValue.Member] = []
        for text in typed {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw ArgumentProblem(
                    parameter.name,
                    .refused("'\(text)' is not of the form \(parameter.placeholder ?? "name=value")"))
            }
            let name = String(text[..<equals])
            let value = String(text[text.index(after: equals)...])
            do {
                members.append(.init(name, try parameter.memberReading?(name, value) ?? .text(value)))
            } catch {
                throw parameter.isRest ? error.within(name) : error.within(name).within(parameter.name)
            }
        }
        return members
    }
}

// MARK: - As JSON

extension Arguments {
    package enum Strictness: Sendable {
        /// What is not declared is ignored, and `null` is the same as nothing: entries of earlier and later versions.
        case lenient
        /// Everything is as it is declared.
        case exact
    }

    /// As an entry has them.
    ///
    /// - Throws: ``ArgumentProblem``.
    package init(
        _ json: JSONValue, as parameters: [DeclaredParameter], _ strictness: Strictness
    ) throws(ArgumentProblem) {
        for member in try Self.members(json, parameters, strictness) { values[member.name] = member.value }
    }

    private static func members(
        _ json: JSONValue, _ parameters: [DeclaredParameter], _ strictness: Strictness
    ) throws(ArgumentProblem) -> [ArgumentValue.Member] {
        guard json.kind == .object else { throw ArgumentProblem("", .malformed(ValueType.members.told)) }
        let rest = parameters.first(where: \.isRest)
        var given: [(name: String, value: JSONValue)] = []
        var others: [ArgumentValue.Member] = []
        for (key, value) in json.members {
            let name = String(decoding: key, as: UTF8.self)
            if parameters.contains(where: { $0.name == name && !$0.isRest }) {
                given.append((name, value))
            } else if rest != nil {
                others.append(.init(name, ArgumentValue(value)))
            } else if strictness == .exact {
                throw ArgumentProblem(name, .unknown(known: parameters.map(\.name)))
            }
        }
        var values: [ArgumentValue.Member] = []
        for parameter in parameters where !parameter.isRest {
            // The last member of a name counts, as wherever JSON is read here.
            let last = given.last { $0.name == parameter.name }?.value
            guard let last, strictness == .exact || !last.isNull else {
                if parameter.presence == .required { throw ArgumentProblem(parameter.name, .missing) }
                continue
            }
            let type = parameter.presence == .repeated ? .array(parameter.type) : parameter.type
            do { values.append(.init(parameter.name, try value(last, type, strictness))) } catch {
                throw error.within(parameter.name)
            }
        }
        if let rest, !others.isEmpty { values.append(.init(rest.name, .object(others))) }
        return values
    }

    /// The value of that type. Its holder puts its name before the path of a problem.
    private static func value(
        _ json: JSONValue, _ type: ValueType, _ strictness: Strictness
    ) throws(ArgumentProblem) -> ArgumentValue {
        let malformed = ArgumentProblem("", .malformed(type.told))
        switch type {
        case .text, .choice, .offset, .moment, .cursor, .file:
            guard let value = json.string.flatMap({ type.value(of: $0) }) else { throw malformed }
            return value
        case .boolean:
            guard let value = json.boolean else { throw malformed }
            return .boolean(value)
        case .integer(let range):
            guard let value = json.integer.map({ Int($0) }), range.contains(value) else { throw malformed }
            return .integer(value)
        case .number(let range):
            guard let value = json.number, range.contains(value) else { throw malformed }
            return .number(value)
        case .array(let element):
            guard json.kind == .array else { throw malformed }
            var all: [ArgumentValue] = []
            for (index, one) in json.elements.enumerated() {
                do { all.append(try value(one, element, strictness)) } catch {
                    throw error.within("[\(index)]")
                }
            }
            return .array(all)
        case .object(let parameters): return .object(try members(json, parameters, strictness))
        case .members:
            guard json.kind == .object else { throw malformed }
            return ArgumentValue(json)
        case .any: return ArgumentValue(json)
        }
    }
}
