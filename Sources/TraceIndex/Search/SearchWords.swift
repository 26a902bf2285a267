/// What is searched for: words, phrases in quotes, and beginnings of words before a `*`. All of them must be found.
///
/// Nothing else has a meaning: whatever is no letter, digit or mark stands between words, as in the text that is searched.
public struct SearchWords: Sendable, Hashable {
    /// The words and phrases, in the order in which they were typed.
    public let terms: [Term]

    /// A word, or several that must stand one after the other.
    public struct Term: Sendable, Hashable {
        /// The words, with spaces between them.
        public let text: String
        /// Whether the last word need only begin so.
        public let isPrefix: Bool
    }

    /// The most terms that can be searched for.
    public static let limit = 64

    /// Reads what a person typed; a quote that is not closed goes to the end.
    public init(_ text: String) {
        var terms: [Term] = []
        var rest = text.unicodeScalars[...]
        while let first = rest.popFirst() {
            if first == "\"" {
                let phrase = rest.prefix { $0 != "\"" }
                rest = rest.dropFirst(phrase.count + 1)
                let isPrefix = rest.first == "*"
                if isPrefix { rest.removeFirst() }
                terms += [Term(phrase, isPrefix: isPrefix)].compactMap(\.self)
            } else if !first.properties.isWhitespace {
                let more = rest.prefix { $0 != "\"" && !$0.properties.isWhitespace }
                rest = rest.dropFirst(more.count)
                let isPrefix = (more.last ?? first) == "*"
                terms += [Term([first] + more, isPrefix: isPrefix)].compactMap(\.self)
            }
        }
        self.terms = terms
    }

    /// The terms as an expression of FTS5. Each is a string of letters, digits, marks and spaces in quotes, which can't
    /// be anything but words.
    var expression: String {
        terms.prefix(Self.limit).map { "\"\($0.text)\"\($0.isPrefix ? "*" : "")" }.joined(separator: " ")
    }
}

extension SearchWords.Term {
    /// Nil where there is no word in it.
    fileprivate init?(_ scalars: some Sequence<Unicode.Scalar>, isPrefix: Bool) {
        var text = String.UnicodeScalarView()
        for scalar in scalars { text.append(scalar.isMark || scalar.isInWord ? scalar : " ") }
        guard text.contains(where: \.isInWord) else { return nil }
        self.text = String(text)
        self.isPrefix = isPrefix
    }
}

extension Unicode.Scalar {
    /// Whether the tokenizer `unicode61` counts it to a word.
    fileprivate var isInWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// Whether it belongs to the letter before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
