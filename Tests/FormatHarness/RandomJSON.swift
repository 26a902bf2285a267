package import TestSupport

/// Texts that are JSON, nearly JSON, or nothing like it.
package struct RandomJSON {
    package var random: SeededRandom

    package init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// A JSON text, with random white space.
    package mutating func text(depth: Int = 4) -> [UInt8] { space() + value(depth) + space() }

    /// A JSON text that has been damaged once or a few times.
    package mutating func damaged() -> [UInt8] {
        var bytes = text()
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes) }
        return bytes
    }

    /// A row of bytes that JSON texts are made of.
    package mutating func soup() -> [UInt8] {
        (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in random.element(of: Self.crumbs) }
    }

    private mutating func value(_ depth: Int) -> [UInt8] {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: Array("null".utf8)
        case 1: Bool.random(using: &random) ? Array("true".utf8) : Array("false".utf8)
        case 2, 3: number()
        case 4: string()
        case 5: list("[", "]") { $0.space() + $0.value(depth - 1) + $0.space() }
        default:
            list("{", "}") {
                $0.space() + $0.string() + $0.space() + [0x3A] + $0.space() + $0.value(depth - 1) + $0.space()
            }
        }
    }

    private mutating func list(_ open: String, _ close: String, _ item: (inout Self) -> [UInt8]) -> [UInt8] {
        let items = (0..<Int.random(in: 0...4, using: &random)).map { _ in item(&self) }
        return Array(open.utf8) + (items.isEmpty ? space() : Array(items.joined(separator: [0x2C])))
            + Array(close.utf8)
    }

    private mutating func number() -> [UInt8] { Array(random.element(of: Self.numbers).utf8) }

    private mutating func string() -> [UInt8] {
        let inner = (0..<Int.random(in: 0...5, using: &random)).map { _ in
            random.element(of: Self.stringParts)
        }
        return Array("\"\(inner.joined())\"".utf8)
    }

    private mutating func space() -> [UInt8] { Array(random.element(of: Self.spaces).utf8) }

    private mutating func damage(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0...5, using: &random) {
        case 0: bytes.insert(contentsOf: random.element(of: Self.crumbs), at: place)
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
        case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 4: bytes.removeSubrange(place...)
        default: bytes += bytes[place...]
        }
    }

    private static let spaces = ["", "", "", "", " ", "\n", "\r\n", "\t", "  "]
    private static let stringParts = [
        "a", "id", "é", "😀", "€", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u0000", "{",
        "]", ",", ":",
        "\u{7F}", "                                                                ",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "10", "123456789", "0.5", "-0.0", "1e3", "1E+3", "1e-3", "1.25e10",
        "9007199254740993",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551614",
        "18446744073709551615", "1e308", "1e-400", "4.9e-324", "0e999999999999",
        "0.00000000000000000000000000000001",
        "123456789012345678901234567890.5", "12345678901234567890e0",
    ]
    private static let crumbs: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\"", "\"\":", "0", "1", "9", "-", "+", ".", "e",
            "E", "00", "1e400",
            "-1e999", "18446744073709551616", "-9223372036854775809", "99999999999999999999", "true", "false",
            "null", "nul",
            "tru", "True", "NaN", "Infinity", "\\u", "\\u12", "\"\\ud800\"", "\"\\udc00\"",
            "\"\\ud800\\u0041\"", "\"\\ud83d\\ude00\"",
            "\"\\u+123\"", "\"\\x\"", "\\u00zz", " ", "\n", "\t", "\r", "\u{C}", "\u{B}", "\u{A0}",
            "\u{FEFF}", "\0", "\u{1}",
            "\u{1F}", "\u{7F}", "é", "'", "//", "/**/", "a", "#",
            "                                                                ",
        ].map { Array($0.utf8) } + [
            [0x80], [0xBF], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80],
            [0xFE], [0xFF], [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x28, 0x22],
            [0x22, 0xF0, 0x80, 0x80, 0x80, 0x22],
        ]
}
