import FormatHarness
import RecordFormat
import TestSupport
import TraceFormat

/// Records of one kind: valid ones, and ones with one or a few mutations, which mostly break a rule.
struct RandomRecord {
    private let kind: RecordKind
    private var random: SeededRandom

    init(_ kind: RecordKind, seed: UInt64) {
        self.kind = kind
        random = SeededRandom(seed: seed)
    }

    /// One JSON text, or nearly one, without line breaks.
    mutating func text() -> [UInt8] {
        var record = object(RecordSchema.of(kind).fields)
        var mutations = random.element(of: [0, 0, 1, 1, 1, 1, 2, 2, 3])
        if Int.random(in: 0..<100, using: &random) == 0 {
            return Array(random.element(of: Self.texts + Self.numbers).utf8)
        }
        while mutations > 0 {
            record = mutated(record)
            mutations -= 1
        }
        var bytes = record.bytes
        if Int.random(in: 0..<12, using: &random) == 0 { damage(&bytes) }
        return bytes
    }

    // MARK: - Valid

    /// A JSON text whose objects and arrays can still be changed.
    private indirect enum Node {
        /// Any text.
        case text(String)
        /// Members: the text of the name, quotes included, and the value.
        case object(_ members: [(name: String, value: Node)])
        case array(_ elements: [Node])

        var bytes: [UInt8] { Array(spelled.utf8) }

        private var spelled: String {
            switch self {
            case .text(let text): text
            case .object(let members):
                "{\(members.map { "\($0.name):\($0.value.spelled)" }.joined(separator: ","))}"
            case .array(let elements): "[\(elements.map(\.spelled).joined(separator: ", "))]"
            }
        }
    }

    private mutating func object(_ fields: StaticList<RecordSchema.Field>) -> Node {
        var members: [(name: String, value: Node)] = []
        for field in fields where field.isRequired || Bool.random(using: &random) {
            members.append(("\"\(field.name)\"", value(field.type)))
        }
        if Int.random(in: 0...3, using: &random) == 0 { members.shuffle(using: &random) }
        return .object(members)
    }

    private mutating func value(_ type: RecordSchema.FieldType) -> Node {
        switch type {
        case .ulid: return quoted(ulid())
        case .timestamp: return .text(random.element(of: Self.timestamps))
        case .milliseconds: return .text(random.element(of: Self.milliseconds))
        case .wholeNumber(let least, let most):
            return .text("\(Int64.random(in: least...most, using: &random))")
        case .string: return .text(random.element(of: Self.strings))
        case .object: return .text(random.element(of: Self.objects))
        case .tags: return list(of: Self.tags)
        case .mediaPath:
            return .text(random.element(of: ["\"media/a.m4a\"", "\"media/\"", "\"\\u006dedia/é/../x\""]))
        case .confidence, .number:
            return .text(random.element(of: ["0", "1", "0.5", "-0", "1.0", "1e0", "1e-400", "0.1e1"]))
        case .word(let vocabulary): return quoted("\(random.element(of: Array(vocabulary.words)))")
        case .constant(let text): return quoted("\(text)")
        case .optionalConstant(let text):
            return Bool.random(using: &random) ? .text("null") : quoted("\(text)")
        case .items(let items):
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in object(items.fields) })
        }
    }

    private mutating func list(of texts: [String]) -> Node {
        .array((0..<Int.random(in: 0...3, using: &random)).map { _ in .text(random.element(of: texts)) })
    }

    private mutating func ulid() -> String {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        return String((0..<26).map { _ in random.element(of: alphabet) })
    }

    private func quoted(_ text: String) -> Node { .text("\"\(text)\"") }

    // MARK: - Mutated

    private mutating func mutated(_ node: Node) -> Node {
        switch node {
        case .object(var members):
            mutate(&members)
            return .object(members)
        case .array(var elements):
            let place = Int.random(in: 0...elements.count, using: &random)
            if place == elements.count {
                elements.append(nasty())
            } else {
                elements[place] = mutated(elements[place])
            }
            return .array(elements)
        case .text(let text): return Bool.random(using: &random) ? nasty() : .text(changed(text))
        }
    }

    private mutating func mutate(_ members: inout [(name: String, value: Node)]) {
        guard let place = members.indices.randomElement(using: &random) else {
            return members.append((random.element(of: Self.names), nasty()))
        }
        switch Int.random(in: 0...9, using: &random) {
        case 0: members.remove(at: place)
        case 1: members.insert((random.element(of: Self.names), nasty()), at: place)
        case 2:
            let twin = (members[place].name, Bool.random(using: &random) ? nasty() : members[place].value)
            members.insert(twin, at: Int.random(in: 0...members.count, using: &random))
        case 3: members[place].name = changed(members[place].name)
        case 4: members[place].value = .array([members[place].value])
        case 5: members[place].value = random.element(of: members).value
        case 6: members[place].value = mutated(members[place].value)
        default:
            let nearMiss = nearMiss(members[place].name)
            members[place].value = nearMiss.map { .text($0) } ?? mutated(members[place].value)
        }
    }

    /// A value that just misses what the member of that (quoted) name may hold, or just doesn't.
    private mutating func nearMiss(_ name: String) -> String? {
        let fields = Array(RecordSchema.of(kind).fields) + Array(RecordItems.media.fields)
        guard let field = fields.first(where: { "\"\($0.name)\"" == name }) else { return nil }
        switch field.type {
        case .ulid:
            return withOneCharacter(
                of: "\"\(ulid())\"", replacedBy: ["I", "L", "O", "U", "a", "é", "-", "", "0", "\\n", "00"])
        case .timestamp:
            let digits = [
                "9", "0", "\u{0660}", "\u{FF11}", "-", ":", "T", "t", "Z", "z", ".", "", " ", "\\n", "00",
            ]
            return withOneCharacter(of: random.element(of: Self.timestamps), replacedBy: digits)
        case .wholeNumber(let least, let most):
            return random.element(of: ["\(least &- 1)", "\(most &+ 1)"] + Self.numbers)
        case .milliseconds, .confidence, .number: return random.element(of: Self.numbers)
        case .tags: return random.element(of: Self.nearlyTags)
        case .mediaPath:
            return withOneCharacter(of: "\"media/\"", replacedBy: ["M", "", " ", "\\n", "\\u002f", "//"])
        case .word(let vocabulary):
            let word = "\"\(random.element(of: Array(vocabulary.words)))\""
            return withOneCharacter(of: word, replacedBy: ["A", "", "_", "-", "\\n", " "])
        default: return nil
        }
    }

    /// A quoted text with one character, which may be the end of it, replaced.
    private mutating func withOneCharacter(of text: String, replacedBy others: [String]) -> String {
        var text = text.dropFirst().dropLast()
        let place = text.index(text.startIndex, offsetBy: Int.random(in: 0...text.count, using: &random))
        let end = place < text.endIndex ? text.index(after: place) : place
        text.replaceSubrange(place..<end, with: random.element(of: others))
        return "\"\(text)\""
    }

    private static let nearlyTags = [
        "[\"A\"]", "[\"-a\"]", "[\"_a\"]", "[\"a\\n\"]", "[\"\\na\"]", "[\"é\"]", "[\"\"]", "[\"a b\"]",
        "[\"a\",1]", "[\"a\",null]", "[\"a.b\"]",
        "[\"a\",[\"a\"]]", "[\"\u{0661}\"]", "[\"a\u{0661}\"]", "[\"0\",\"0\"]", "{}", "\"a\"",
        "[\"a\\u0000\"]",
    ]

    private mutating func nasty() -> Node {
        switch Int.random(in: 0...5, using: &random) {
        case 0, 1: return .text(random.element(of: Self.numbers))
        case 2: return .text(random.element(of: Self.texts))
        case 3: return .text(random.element(of: Self.strings + Self.timestamps + Self.tags))
        case 4: return .text(random.element(of: Self.objects))
        default:
            return Bool.random(using: &random)
                ? object(RecordItems.media.fields) : list(of: Self.tags + Self.texts)
        }
    }

    /// A little change to a string or a number, as careless writers make it.
    private mutating func changed(_ text: String) -> String {
        guard text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 else {
            return random.element(of: [
                "-\(text)", "\(text).5", "\(text).0", "\(text)e2", "\"\(text)\"",
                "\(text)0000000000000000000",
            ])
        }
        let inner = text.dropFirst().dropLast()
        let change = random.element(of: [
            "\(inner)\\n", "\(inner) ", "\\n\(inner)", "\(inner)\\r", "\(inner)\\u0000", "\(inner)\\u2028",
            "\(inner)\u{85}",
            "\(inner.dropLast())", "\(inner.dropFirst())", "\(inner)0", inner.lowercased(),
            inner.uppercased(),
            "\(inner.replacing("0", with: "\u{0660}"))", "\(inner)\\ud800", "\(inner)\u{301}", "",
            "\(inner)\(inner)",
            "\(inner.replacing("Z", with: "+00:00"))", "\(inner.replacing("T", with: "t"))",
            "\(inner.replacing("2", with: "9"))",
        ])
        return "\"\(change)\""
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0 where place < bytes.count: bytes.remove(at: place)
        case 1: bytes.removeSubrange(max(1, place)...)
        case 2: bytes.insert(contentsOf: random.element(of: Self.crumbs), at: place)
        default:
            bytes.insert(
                contentsOf: Array(random.element(of: ["\u{FEFF}", " ", "\t", "\u{A0}", "\u{C}"]).utf8),
                at: place)
        }
    }

    private static let timestamps = [
        "\"2026-02-04T20:00:00Z\"", "\"2026-02-04T20:00:00.000Z\"",
        "\"2026-02-04T20:00:00.123456789012345Z\"",
        "\"2026-13-40T99:99:99Z\"", "\"0000-00-00T00:00:00.0Z\"", "\"2016-12-31T23:59:60\\u005a\"",
    ]
    private static let milliseconds = [
        "0", "1", "1.0", "1e3", "1E+3", "-0", "-0.0", "12000e-3", "9007199254740993", "9223372036854775807",
        "1e-400", "0e999",
        "1e18", "0.99999999999999999999",
    ]
    private static let strings = [
        "\"\"", "\"a\"", "\"Größe\"", "\"\\ud83d\\ude00\"", "\"😀\"", "\"\\u0000\"", "\"\\n\"",
        "\"\\\"\\\\\\/\"", "\"\u{7F}\u{2028}\"",
        "\"null\"", "\"e\u{301}\"",
    ]
    private static let tags = [
        "\"a\"", "\"0\"", "\"fix-review\"", "\"a_-\"", "\"\\u0061b\"", "\"highlight\"",
    ]
    private static let objects = [
        "{}", "{\"a\":1}", "{\"a\":{\"a\":[{}]},\"b\":null}", "{\"a\":1,\"a\":2}", "{\"\":\"\"}",
        "{\"a\":18446744073709551615}",
        "{\"a\":18446744073709551616}", "{\"a\":-9223372036854775809}", "{\"a\":1e308}", "{\"a\":1e400}",
        "{\"a\":[-1e400]}",
        "{\"a\":NaN}", "{\"a\":\"\\ud800\"}", "{\"\\udc00\":1}", nested(100), nested(125), nested(126),
        nested(127), nested(300),
    ]
    /// An object that is so deep.
    private static func nested(_ depth: Int) -> String {
        "{\"a\":" + String(repeating: "[", count: depth - 1) + "1" + String(repeating: "]", count: depth - 1)
            + "}"
    }
    private static let numbers = [
        "0", "-0", "-0.0", "1", "1.0", "1.5", "-1", "-1.0", "-0.5", "1e3", "1e-1", "1e400", "-1e400",
        "1e-400", "-1e-400",
        "1.0000000000000001", "1.0001", "-1e-300", "9223372036854775807", "9223372036854775808",
        "9223372036854775808.0",
        "18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809",
        "1e19", "-1e19", "1e300",
        "1e999999999999", "123456789012345678901234567890", "NaN", "Infinity", "-Infinity", "2", "1e0",
        "-1e-300", "-0.01", "1.01", "1.0000000000000003",
    ]
    private static let texts = [
        "null", "true", "false", "[]", "{}", "[[]]", "[null]", "[{}]", "\"\"", "\" \"", "\"media\"",
        "\"/media/x\"", "\"User\"",
        "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"a\u{0}b\"", "\"a\tb\"", "\"\\x\"", "\"\\u+123\"", "\"\\u12\"",
        "'a'", "01", "+1", ".5", "1.",
        "1e", "0x10", "True", "nul", "-", "undefined", "\"media/x\"", "\"user\"", "\"active\"", "\"closed\"",
        "\"failed\"", "\"audio\"",
        "\"session_start\"", "\"timeline.jsonl\"", "\"digest.md\"", "\"transcript.jsonl\\n\"",
        "\"01KGN6Z5BM000000000000000I\"",
    ]
    private static let names = [
        "\"\"", "\"ID\"", "\"id \"", "\"i\\u0064\"", "\"\\u0069d\"", "\"offset_ms\\u0000\"", "\"x\"",
        "\"$schema\"", "\"label\"", "\"title\"",
        "\"note\"", "\"duration_ms\"", "\"confidence\"", "\"inputs\"", "\"id\"", "\"media\"", "\"\\ud800\"",
        "\"iD\u{301}\"",
    ]
    private static let crumbs: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "1", "-", ".", "e", "null", "\0", "\r", "\u{1}", "é",
            "//",
        ].map { Array($0.utf8) }
        + [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF]]
}
