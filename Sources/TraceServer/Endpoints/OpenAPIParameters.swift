internal import HTTPTypes
internal import RecordFormat

/// A header field of an answer, which the description of the API describes once.
struct ResponseHeader {
    let name: String
    let summary: String
    var isAlwaysThere = false

    static let traceTime = ResponseHeader(
        name: "Trace-Time", summary: "The server's clock, in UTC to the millisecond", isAlwaysThere: true)
    static let eTag = ResponseHeader(
        name: "ETag", summary: "Names what was read, for If-None-Match and If-Match")
    static let link = ResponseHeader(
        name: "Link", summary: "The next page, relative to this one, if there is one")
    static let contentRange = ResponseHeader(
        name: "Content-Range", summary: "Which part of the file it is, or how large the file is",
        isAlwaysThere: true)
    static let retryAfter = ResponseHeader(name: "Retry-After", summary: "In how many seconds to try again")

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
            object.member("schema", schema)
            if presence == .repeated { object.member("explode", JSONText(true)) }
        }
    }
}
