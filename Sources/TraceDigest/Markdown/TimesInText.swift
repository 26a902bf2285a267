internal import RecordFormat
internal import TraceFormat

/// Finds times such as `2:00` and `1:02:03.5` in what a person wrote.
enum TimesInText {
    struct Found {
        var range: Range<String.Index>
        var offset: SessionOffset
    }

    /// Each that stands alone: neither letter nor digit nor another colon beside it.
    static func times(in text: String) -> [Found] {
        var found: [Found] = []
        var previous: Character?
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            guard character.isASCIIDigit, previous.map(Self.separates) ?? true else {
                previous = character
                index = text.index(after: index)
                continue
            }
            let word = text[index...].prefix { $0.isASCIIDigit || $0 == ":" || $0 == "." }
            // The point at the end of a sentence is none of a fraction.
            let end = word.lastIndex(where: \.isASCIIDigit).map { text.index(after: $0) } ?? index
            let next = end < text.endIndex ? text[end] : nil
            if next.map({ $0 == "." || Self.separates($0) }) ?? true, word[index..<end].contains(":"),
                case .absolute(let offset)? = try? OffsetExpression(String(word[index..<end]))
            {
                found.append(Found(range: index..<end, offset: offset))
            }
            previous = word.last
            index = word.endIndex
        }
        return found
    }

    private static func separates(_ character: Character) -> Bool {
        !(character.isLetter || character.isNumber || ":.,/_-+".contains(character))
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
