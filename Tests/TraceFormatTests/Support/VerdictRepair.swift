import FormatHarness
import RecordFormat

/// Takes the cause of one meant difference out of a JSON text, in such a way that JSON Schema's verdict on it stays what it
/// was. If our verdict on what is left equals the schema's, then that cause is all that the two differ by.
enum VerdictRepair {
    /// By the id of the difference.
    static func repair(_ id: String, _ text: [UInt8]) -> [UInt8] {
        switch id {
        case "number-beyond-64-bits": words(of: text, replaced: smallerNumber)
        case "nan-and-infinity": words(of: text, replaced: number)
        case "lone-surrogate": withoutLoneSurrogates(text)
        case "nesting": flattened(text)
        case "duplicate-key": withoutDuplicates(text)
        default: text
        }
    }

    // MARK: - Numbers

    /// The text with some of the words that stand outside strings (numbers and names) replaced.
    private static func words(of text: [UInt8], replaced: (String) -> String?) -> [UInt8] {
        var result: [UInt8] = []
        var word: [UInt8] = []
        var string = StringState()
        for byte in text {
            let isOutside = string.isOutside(byte)
            let isPart =
                isOutside
                && (byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "."))
            if isPart {
                word.append(byte)
                continue
            }
            result += replaced(word.text).map { Array($0.utf8) } ?? word
            word = []
            result.append(byte)
        }
        return result + (replaced(word.text).map { Array($0.utf8) } ?? word)
    }

    /// A number of the same sign that fits: whole if this one is, and still far from 0…1. Beyond the doubles it is
    /// infinite to Python, and so not whole.
    private static func smallerNumber(_ word: String) -> String? {
        guard scannerFailure(Array(word.utf8)).map({ $0.reason == "a number is too large" }) ?? true,
            let first = word.utf8.first, first == UInt8(ascii: "-") || first.isLetterOrDigit,
            let value = Double(word),
            abs(value) >= 9.2e18
        else { return nil }
        let sign = value < 0 ? "-" : ""
        // To Python, digits alone are an integer of any size.
        let isPlain = word.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isLetterOrDigit && !$0.isLetter }
        return value.isInfinite && !isPlain ? "\(sign)4503599627370495.5" : "\(sign)9007199254740992"
    }

    private static func number(_ word: String) -> String? {
        switch word {
        case "NaN": "0.5"
        case "Infinity": "4503599627370495.5"
        case "-Infinity": "-4503599627370495.5"
        default: nil
        }
    }

    // MARK: - Strings

    private static func withoutLoneSurrogates(_ text: [UInt8]) -> [UInt8] {
        var text = text
        while let failure = scannerFailure(text), failure.reason == "an escape is half of a surrogate pair" {
            text.replaceSubrange(failure.position..<(failure.position + 6), with: Array("\\ufffd".utf8))
        }
        return text
    }

    // MARK: - Structure

    /// The text with 0 in the place of whatever lies deeper than any record needs.
    private static func flattened(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var string = StringState()
        var depth = 0
        for byte in text {
            let isOutside = string.isOutside(byte)
            let closes = isOutside && (byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"))
            if isOutside, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
                if depth == 101 { result.append(UInt8(ascii: "0")) }
            }
            if depth <= 100 { result.append(byte) }
            if closes { depth -= 1 }
        }
        return result
    }

    /// The text with only the last of the members that share a name, in every object.
    private static func withoutDuplicates(_ text: [UInt8]) -> [UInt8] {
        guard scannerFailure(text) == nil else { return text }
        return text.withUnsafeBytes { text in
            if let members = try? JSONScanner.members(of: text) {
                // By scalars, as names are compared everywhere but in Swift's `==`.
                let names = members.map { Array($0.name.utf8) }
                let last = Dictionary(zip(names, members.indices), uniquingKeysWith: { $1 })
                let kept = members.indices.filter { last[names[$0]] == $0 }.map { index in
                    Array(text[members[index].nameRange]) + [UInt8(ascii: ":")]
                        + withoutDuplicates(Array(text[members[index].valueRange]))
                }
                return [UInt8(ascii: "{")] + kept.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
            }
            if let elements = try? JSONScanner.elements(of: text) {
                let kept = elements.map { withoutDuplicates(Array(text[$0])) }
                return [UInt8(ascii: "[")] + kept.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
            }
            return Array(text)
        }
    }

    /// Whether bytes lie in a string.
    private struct StringState {
        private var inString = false
        private var isEscaped = false

        mutating func isOutside(_ byte: UInt8) -> Bool {
            guard inString else {
                inString = byte == UInt8(ascii: "\"")
                return !inString
            }
            inString = isEscaped || byte != UInt8(ascii: "\"")
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            return false
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    fileprivate var isLetterOrDigit: Bool {
        isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
    }
}
