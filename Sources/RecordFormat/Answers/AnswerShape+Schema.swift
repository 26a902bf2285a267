extension AnswerShape {
    /// The JSON Schema 2020-12 of the object. Members that it does not name are allowed, since a later version may add some.
    package func schema(forHTTP: Bool) -> JSONText {
        let members = members.filter { $0.presence(forHTTP: forHTTP) != .never }
        let required = members.filter { $0.presence(forHTTP: forHTTP) == .always }
        return .object { object in
            object.member("type", "object")
            object.member("description", summary)
            object.member(
                "properties",
                .object { properties in
                    for member in members {
                        properties.member(member.name, member.type.schema(member.summary))
                    }
                })
            object.member("required", required.map(\.name))
        }
    }
}

extension ShapeType {
    /// The JSON Schema of a value; shapes and records are referred to by the names of their components.
    ///
    /// - Parameter description: What the value says.
    package func schema(_ description: String? = nil) -> JSONText {
        .object { object in
            add(to: &object, orNull: false)
            object.member("description", description.map { JSONText($0) })
        }
    }

    private func add(to object: inout JSONObjectText, orNull: Bool) {
        func type(_ name: String) {
            if orNull { object.member("type", [name, "null"]) } else { object.member("type", name) }
        }
        switch self {
        case .string: type("string")
        case .integer: type("integer")
        case .number: type("number")
        case .boolean: type("boolean")
        case .id:
            type("string")
            object.member("pattern", "^[0-9A-HJKMNP-TV-Z]{26}$")
            object.member("maxLength", JSONText(Int64(ULID.length)))
        case .time:
            type("string")
            object.member("format", "date-time")
            object.member(
                "pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$")
        case .array(let element):
            type("array")
            object.member("items", element.schema())
        case .map(let value):
            type("object")
            object.member("additionalProperties", value.schema())
        case .object(let shape): Self.refer(to: [shape.name], orNull, in: &object)
        case .named(let name): Self.refer(to: [name], orNull, in: &object)
        case .records(let kinds): Self.refer(to: kinds.map(\.name), orNull, in: &object)
        case .nullable(let value): value.add(to: &object, orNull: true)
        case .any: break
        }
    }

    /// Adds that the value is one of these components.
    private static func refer(to names: [String], _ orNull: Bool, in object: inout JSONObjectText) {
        let references = names.map { "#/components/schemas/\($0)" }
        if references.count == 1, !orNull { return object.member("$ref", references[0]) }
        let null = orNull ? [JSONText.object { $0.member("type", "null") }] : []
        object.member(
            "anyOf",
            .array(references.map { reference in .object { $0.member("$ref", reference) } } + null))
    }
}
