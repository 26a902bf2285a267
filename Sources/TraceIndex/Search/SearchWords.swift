/// What is searched for: words, phrases in quotes, and beginnings of words before a `*`. All of them must be found.
///
/// Nothing else has a meaning: whatever is not a letter, digit or mark is between words, as in the text that is searched. Text
/// in a script without spaces between words is found wherever it is in a longer one.
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
    ///
    /// - Parameter isUnfinished: Whether it is still being typed: a word in which it ends need only begin so.
    public init(_ text: String, isUnfinished: Bool = false) {
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
        if isUnfinished, let end = text.unicodeScalars.last, !WordTable.isSeparator(end) {
            terms = terms.dropLast() + terms.suffix(1).map(\.beginning)
        }
        self.terms = terms
    }

    /// The same, but that each word need only begin so; nil if that makes no difference.
    public var beginnings: SearchWords? {
        let longer = terms.map(\.beginning)
        return longer == terms ? nil : SearchWords(terms: longer)
    }

    private init(terms: [Term]) { self.terms = terms }

    /// How a person types it.
    public var typed: String { terms.map(\.typed).joined(separator: " ") }

    /// The terms as an expression of FTS5. Each is a string of letters, digits, marks and spaces in quotes, which can't
    /// be anything but words.
    var expression: String {
        terms.prefix(Self.limit).map { "\"\($0.text)\"\($0.isBeginning ? "*" : "")" }.joined(separator: " ")
    }

    /// Whether some of it is text without spaces between words.
    var isUnspaced: Bool { terms.contains { !UnspacedText.runs(of: $0.text).isEmpty } }

    /// The pairs of characters that are searched for in such text.
    var pairs: Set<UnspacedText.Pair> {
        Set(
            terms.flatMap { UnspacedText.runs(of: $0.text) }.flatMap { run in
                zip(run, run.dropFirst()).map { .init(first: $0.scalar, second: $1.scalar) }
            })
    }
}

extension SearchWords.Term {
    /// Nil if there is no word in it.
    fileprivate init?(_ scalars: some Sequence<Unicode.Scalar>, isPrefix: Bool) {
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            text.append(WordTable.isSeparator(scalar) ? " " : scalar)
        }
        // What ends the term must end its text: a run of characters continues there.
        while text.last == " " { text.removeLast() }
        // Marks and joiners alone are no word.
        guard text.contains(where: { $0 != " " && !$0.isMark && !$0.isJoiner }) else { return nil }
        self.text = String(text)
        self.isPrefix = isPrefix
    }

    /// The same, but that its last word need only begin so; text without spaces is found anywhere as it is.
    fileprivate var beginning: SearchWords.Term {
        SearchWords.Term(text: text, isPrefix: isPrefix || finalRunLength == 0)
    }

    /// How many units the run has that ends the term (``UnspacedText``); 0 if it ends otherwise.
    fileprivate var finalRunLength: Int { UnspacedText.finalRun(of: text).count }

    /// Whether it is the beginning of a token: a single character begins each pair in which it comes first.
    fileprivate var isBeginning: Bool { isPrefix || finalRunLength == 1 }

    fileprivate var typed: String {
        (text.contains(" ") ? "\"\(text)\"" : text) + (isPrefix ? "*" : "")
    }
}

extension Unicode.Scalar {
    /// Whether it belongs to the letter before it.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether it is one of the joiners and breaks without width, which ``UnspacedText`` counts to the character before.
    fileprivate var isJoiner: Bool { (0x200B...0x200D).contains(value) || value == 0x2060 }
}
