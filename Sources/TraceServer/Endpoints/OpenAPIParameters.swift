internal import HTTPTypes
internal import RecordFormat

/// A header field of an answer, which the description of the API describes once.
struct AnswerHeader {
    let name: String
    let summary: String
    var isAlwaysThere = false

    static let traceTime = AnswerHeader(
        name: "Trace-Time", summary: "The server's clock, in UTC to the millisecond", isAlwaysThere: true)
    static let eTag = AnswerHeader(
        name: "ETag", summary: "Names what was read, for If-None-Match and If-Match")
    static let link = AnswerHeader(
        name: "Link", summary: "The next page, relative to this one, if there is one")
    static let contentRange = AnswerHeader(
        name: "Content-Range", summary: "Which part of the file it is, or how large the file is",
        isAlwaysThere: true)
    static let retryAfter = AnswerHeader(name: "Retry-After", summary: "In how many seconds to try again")

    static let components = JSONText.object { object in
        for header in [traceTime, eTag, link, contentRange, retryAfter] {
            object.member(header.name, header.object)
        }
    }

    var reference: JSONText { .object { $0.member("$ref", "#/components/headers/\(name)") } }

    private var object: JSONText {
        .object { object in
            object.member("description", summary)
            if isAlwaysThere { object.member("required", JSONText(true)) }
            object.member("schema", .object { $0.member("type", "string") })
        }
    }
}

extension FieldParameter {
    var object: JSONText {
        .object { object in
            object.member("name", name.rawName)
            object.member("in", "header")
            object.member("description", summary)
            if isRequired { object.member("required", JSONText(true)) }
            object.member("schema", .object { $0.member("type", "string") })
        }
    }
}

extension DeclaredParameter {
    var object: JSONText {
        .object { object in
            object.member("name", name)
            object.member("in", "query")
            object.member("description", summary)
            if presence == .required { object.member("required", JSONText(true)) }
            object.member("schema", presence == .repeated ? repeated : type.schema)
            if presence == .repeated { object.member("explode", JSONText(true)) }
        }
    }

    private var repeated: JSONText {
        .object { object in
            object.member("type", "array")
            object.member("items", type.schema)
        }
    }
}

extension ValueType {
    fileprivate var schema: JSONText {
        .object { object in
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
            case .object, .members: object.member("type", "object")
            case .any: break
            }
        }
    }
}
