/// Parameters as JSON Schema 2020-12, for those who send what they declare.
extension DeclaredParameter {
    /// The JSON Schema of an object with these members.
    package static func schema(of parameters: [DeclaredParameter]) -> JSONText {
        .object { add(parameters, to: &$0) }
    }

    fileprivate static func add(_ parameters: [DeclaredParameter], to object: inout JSONObjectText) {
        object.member("type", "object")
        let named = parameters.filter { !$0.isRest }
        object.member(
            "properties",
            .object { properties in
                for parameter in named { properties.member(parameter.name, parameter.describedSchema) }
            })
        let required = named.filter { $0.presence == .required }.map(\.name)
        if !required.isEmpty { object.member("required", required) }
    }

    /// The JSON Schema of the parameter's value.
    package var schema: JSONText {
        guard presence == .repeated else { return type.schema }
        return .object { add(asArrayTo: &$0) }
    }

    private func add(asArrayTo object: inout JSONObjectText) {
        object.member("type", "array")
        object.member("items", type.schema)
    }

    /// With what it is.
    private var describedSchema: JSONText {
        .object { object in
            object.member("description", summary)
            if presence == .repeated { add(asArrayTo: &object) } else { type.add(to: &object) }
        }
    }
}

extension ValueType {
    /// The JSON Schema of such a value in an entry, or in a query.
    var schema: JSONText { .object { add(to: &$0) } }

    fileprivate func add(to object: inout JSONObjectText) {
        switch self {
        case .text(let most):
            object.member("type", "string")
            if most < .max { object.member("maxLength", JSONText(Int64(most))) }
        case .choice(let words):
            object.member("type", "string")
            object.member("enum", words)
        case .boolean:
            object.member("type", "boolean")
        case .integer(let range):
            object.member("type", "integer")
            object.member("minimum", JSONText(Int64(range.lowerBound)))
            object.member("maximum", JSONText(Int64(range.upperBound)))
        case .number(let range):
            object.member("type", "number")
            guard range != ValueType.allNumbers else { break }
            object.member("minimum", ArgumentValue.number(range.lowerBound).json)
            object.member("maximum", ArgumentValue.number(range.upperBound).json)
        case .offset, .moment, .cursor, .file:
            object.member("type", "string")
            object.member("minLength", JSONText(Int64(1)))
        case .array(let element):
            object.member("type", "array")
            object.member("items", element.schema)
        case .object(let members): DeclaredParameter.add(members, to: &object)
        case .members: object.member("type", "object")
        case .any: break
        }
    }
}
