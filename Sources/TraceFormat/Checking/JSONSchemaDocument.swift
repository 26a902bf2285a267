package import RecordFormat

/// JSON Schema 2020-12 documents of the six kinds of record, for tools that know nothing of this project. They are
/// rendered from the declarations that validate (``RecordSchema``), so neither can say what the other does not.
///
/// A document stands alone: there is no `$ref` to follow. Patterns hold for the whole string in every engine: `[0-9]`
/// instead of `\d`, which takes other scripts' digits in Python and .NET, and no reliance on `$` alone, which lets a
/// trailing newline through there; look-ahead, which would say the same in the pattern itself, is unknown to RE2
/// (Go) and to Rust's `regex`. Source: docs/spec/format.md#scalars.
package enum JSONSchemaDocument {
    /// The document of a kind, on one line.
    package static func document(for kind: RecordKind) -> JSONText {
        .object { object in
            object.member("$schema", JSONText("https://json-schema.org/draft/2020-12/schema"))
            object.member("$id", JSONText(identifier(of: kind)))
            object.member("title", JSONText("TRACE \(kind.noun)"))
            object.member("description", JSONText(description(of: kind)))
            add(RecordSchema.of(kind).fields, to: &object)
        }
    }

    /// One object with the document of every kind under the kind's name.
    package static func allDocuments() -> JSONText {
        .object { object in
            for kind in RecordKind.allCases { object.member(kind.rawValue, document(for: kind)) }
        }
    }

    /// The document's name, which is not an address.
    static func identifier(of kind: RecordKind) -> String { "urn:trace:schema:\(kind.rawValue)" }

    /// The name of ``queueEntry`` beside those of the kinds.
    package static let queueEntryName = "queue-entry"

    /// The document of an entry of the offline queue. Its record's keys are those of the kind; that entry, payload and file
    /// name have one id, and what is in the file beside it, is beyond a schema.
    ///
    /// Source: docs/queue.md#an-entry.
    package static var queueEntry: JSONText {
        .object { object in
            object.member("$schema", JSONText("https://json-schema.org/draft/2020-12/schema"))
            object.member("$id", JSONText("urn:trace:schema:\(queueEntryName)"))
            object.member("title", JSONText("TRACE queue entry"))
            object.member(
                "description",
                JSONText(
                    "A file <id>.json of a spool. 'trace queue check' also compares the ids, the file's name and the audio."
                ))
            object.member("type", JSONText("object"))
            object.member(
                "properties",
                .object { properties in
                    properties.member("id", document(for: .ulid))
                    properties.member("kind", words(EntryOperation.ofSessions.map(\.rawValue)))
                    properties.member("session_id", document(for: .ulid))
                    properties.member("created_at", document(for: .timestamp))
                    properties.member("device", document(for: .string))
                    properties.member("payload", .object { $0.member("type", JSONText("object")) })
                    properties.member("attachment", attachment)
                })
            object.member(
                "required",
                .array(["id", "kind", "session_id", "created_at", "payload"].map { JSONText($0) }))
            object.member("allOf", .array(EntryOperation.ofSessions.map(payload)))
        }
    }

    /// The schema of an entry of the offline queue for journals of another kind than the session.
    ///
    /// - Parameter payloads: The kinds of entry that its journals take, each with the schema of its payload.
    package static func entry(
        _ description: String, of payloads: [(kind: EntryOperation, payload: JSONText)]
    ) -> JSONText {
        .object { object in
            object.member("type", "object")
            object.member("description", description)
            object.member(
                "properties",
                .object { properties in
                    properties.member("id", document(for: .ulid))
                    properties.member("kind", words(payloads.map(\.kind.rawValue)))
                    properties.member("journal_id", document(for: .ulid))
                    properties.member("created_at", document(for: .timestamp))
                    properties.member("device", document(for: .string))
                    properties.member("payload", .object { $0.member("type", "object") })
                })
            object.member("required", ["id", "kind", "journal_id", "created_at", "payload"])
            object.member(
                "allOf",
                .array(
                    payloads.map { kind, payload in
                        rule(for: kind) { then in
                            then.member("properties", .object { $0.member("payload", payload) })
                        }
                    }))
        }
    }

    private static func words(_ words: [String]) -> JSONText {
        .object { $0.member("enum", .array(words.map { JSONText($0) })) }
    }

    private static var attachment: JSONText {
        .object { object in
            object.member("type", JSONText.array([JSONText("object"), JSONText("null")]))
            object.member(
                "properties",
                .object { properties in
                    properties.member("name", document(for: .string))
                    properties.member(
                        "size",
                        .object { size in
                            size.member("type", JSONText("integer"))
                            size.member("minimum", JSONText(Int64(0)))
                        })
                    properties.member(
                        "sha256",
                        .object { hash in
                            hash.member("type", JSONText.array([JSONText("string"), JSONText("null")]))
                            hash.member("maxLength", JSONText(Int64(64)))
                            hash.member("pattern", JSONText("^[0-9a-f]{64}$"))
                        })
                })
            object.member("required", .array(["name", "size", "sha256"].map { JSONText($0) }))
        }
    }

    /// That an action is asked for, and has not run.
    private static var isStarted: JSONText {
        .object { object in
            object.member(
                "properties",
                .object { properties in
                    properties.member(
                        "status", .object { $0.member("const", JSONText(ActionRun.Status.started.rawValue)) })
                })
        }
    }

    /// What holds of an entry of a kind.
    private static func rule(
        for kind: EntryOperation, then add: (inout JSONObjectText) -> Void
    ) -> JSONText {
        .object { object in
            object.member(
                "if",
                .object { condition in
                    condition.member(
                        "properties",
                        .object { $0.member("kind", .object { $0.member("const", JSONText(kind.rawValue)) }) }
                    )
                })
            object.member("then", .object { add(&$0) })
        }
    }

    /// What holds of an entry of a session.
    private static func payload(of kind: EntryOperation) -> JSONText {
        rule(for: kind) { then in
            then.member(
                "properties",
                .object { properties in
                    properties.member(
                        "payload",
                        .object { payload in
                            if let record = kind.recordKind {
                                add(RecordSchema.of(record).fields, to: &payload)
                            } else {
                                add(changeOf: kind, to: &payload)
                            }
                            if kind == .actionRequest { payload.member("allOf", .array([isStarted])) }
                        })
                    if kind == .voiceNote || kind.isChange {
                        let type = kind.isChange ? "null" : "object"
                        properties.member("attachment", .object { $0.member("type", JSONText(type)) })
                    }
                })
            if kind == .voiceNote { then.member("required", .array([JSONText("attachment")])) }
        }
    }

    /// What the payload of a change is.
    private static func add(changeOf kind: EntryOperation, to payload: inout JSONObjectText) {
        let members = SessionChange.payloadMembers(of: kind)
        payload.member("type", "object")
        payload.member(
            "properties",
            .object { properties in
                for member in members {
                    switch member {
                    case "set", "was": properties.member(member, values(of: SessionChange.subject(of: kind)))
                    case "at": properties.member(member, document(for: .timestamp))
                    case "title": properties.member(member, document(for: .string))
                    default: properties.member(member, document(for: .ulid))
                    }
                }
            })
        payload.member("required", members.filter { $0 == "record_id" || $0 == "set" })
        payload.member("additionalProperties", JSONText(false))
    }

    /// Members of a record with their values; null where there is none.
    private static func values(of kind: RecordKind?) -> JSONText {
        .object { object in
            object.member("type", "object")
            object.member(
                "properties",
                .object { properties in
                    guard let kind else { return }
                    let names = SessionChange.members(of: kind)
                    for field in RecordSchema.of(kind).fields where names.contains("\(field.name)") {
                        let types = [document(for: field.type), .object { $0.member("type", "null") }]
                        properties.member("\(field.name)", .object { $0.member("anyOf", .array(types)) })
                    }
                })
            object.member("additionalProperties", JSONText(false))
        }
    }

    private static func description(of kind: RecordKind) -> String {
        let what = kind == .session ? "The object in \(kind.fileName)" : "One line of \(kind.fileName)"
        return "\(what). A schema can't express rules across lines and files; 'trace validate' checks them."
    }

    private static func add(
        _ fields: StaticList<RecordSchema.Field>, to object: inout JSONObjectText
    ) {
        object.member("type", JSONText("object"))
        object.member(
            "properties",
            .object { properties in
                for field in fields { properties.member("\(field.name)", document(for: field.type)) }
            })
        let required = fields.filter(\.isRequired).map { JSONText("\($0.name)") }
        object.member("required", .array(required))
        object.member("additionalProperties", JSONText(false))
    }

    private static func document(for type: RecordSchema.FieldType) -> JSONText {
        .object { object in
            switch type {
            case .ulid:
                string(&object, "A ULID. Opaque: it implies neither an order nor a time.")
                object.member("pattern", JSONText("^[0-9A-HJKMNP-TV-Z]{26}$"))
                object.member("maxLength", JSONText(Int64(ULID.length)))
            case .timestamp:
                string(&object, "A time in UTC, with Z.")
                let date = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
                let time = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
                pattern(&object, "^\(date)T\(time)(\\.[0-9]+)?Z$")
            case .milliseconds:
                object.member("type", JSONText("integer"))
                object.member("description", JSONText("Milliseconds."))
                object.member("minimum", JSONText(Int64(0)))
            case .number: object.member("type", JSONText("number"))
            case .wholeNumber(let least, let most):
                object.member("type", JSONText("integer"))
                object.member("minimum", JSONText(least))
                object.member("maximum", JSONText(most))
            case .string: string(&object)
            case .object: object.member("type", JSONText("object"))
            case .tags:
                object.member("type", JSONText("array"))
                let tag = JSONText.object { object in
                    string(&object)
                    pattern(&object, "^[a-z0-9][a-z0-9_-]*$")
                }
                object.member("items", tag)
            case .mediaPath:
                string(&object, "A path inside the session directory.")
                object.member("pattern", JSONText("^media/"))
            case .confidence:
                object.member("type", JSONText("number"))
                object.member("minimum", JSONText(Int64(0)))
                object.member("maximum", JSONText(Int64(1)))
            case .word(let vocabulary):
                string(&object)
                object.member("enum", .array(vocabulary.words.map { JSONText("\($0)") }))
            case .constant(let text): object.member("const", JSONText("\(text)"))
            case .optionalConstant(let text): object.member("enum", .array([.null, JSONText("\(text)")]))
            case .items(let items):
                object.member("type", JSONText("array"))
                object.member("items", .object { add(items.fields, to: &$0) })
            }
        }
    }

    private static func string(_ object: inout JSONObjectText, _ description: String? = nil) {
        object.member("type", JSONText("string"))
        object.member("description", description.map { JSONText($0) })
    }

    /// A pattern that ends in `$` and does not let a trailing newline through, whatever the engine.
    private static func pattern(_ object: inout JSONObjectText, _ pattern: String) {
        object.member("pattern", JSONText(pattern))
        object.member("not", .object { $0.member("pattern", JSONText("\\n")) })
    }
}

extension JSONText {
    /// The text over several lines, each level two spaces further in.
    package var indented: JSONText {
        var lines = IndentedLines()
        for byte in JSONText.compacted(bytes) { lines.append(byte) }
        return JSONText(verbatim: lines.bytes)
    }
}

/// Breaks a compact JSON text into lines.
private struct IndentedLines {
    private(set) var bytes: [UInt8] = []
    private var depth = 0
    private var inString = false
    private var isEscaped = false
    /// A bracket was opened, and what follows it is not known yet.
    private var isOpen = false

    mutating func append(_ byte: UInt8) {
        if inString {
            bytes.append(byte)
            inString = isEscaped || byte != UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            return
        }
        let closes = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
        if closes { depth -= 1 }
        if isOpen != closes { breakLine() }
        isOpen = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
        if isOpen { depth += 1 }
        bytes.append(byte)
        if byte == UInt8(ascii: ",") { breakLine() }
        if byte == UInt8(ascii: ":") { bytes.append(0x20) }
        inString = byte == UInt8(ascii: "\"")
    }

    private mutating func breakLine() {
        bytes.append(0x0A)
        bytes += [UInt8](repeating: 0x20, count: 2 * depth)
    }
}
