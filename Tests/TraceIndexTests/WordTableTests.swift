import GRDB
import TestSupport
import Testing

@testable import TraceIndex

/// Where words end, which the index and what is searched for must agree on.
struct WordTableTests {
    /// The characters outside of private use, without the planes in which there are only letters of Han and nothing at all.
    private static let characters = [0...0x2FFFF, 0xE0000...0xE01FF].joined().compactMap {
        Unicode.Scalar($0 as UInt32)
    }

    @Test func `the table says what Unicode says of the characters that its version has`() {
        for scalar in Self.characters {
            guard let age = scalar.properties.age, Int64(age.major) <= WordTable.unicodeVersion else {
                continue
            }
            let isSeparator: Bool
            switch scalar.properties.generalCategory {
            case .format: isSeparator = ![0x200B, 0x200C, 0x200D, 0x2060].contains(scalar.value)
            case .control, .surrogate, .spaceSeparator, .lineSeparator, .paragraphSeparator,
                .connectorPunctuation,
                .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
                .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
                isSeparator = true
            default: isSeparator = false
            }
            if WordTable.isSeparator(scalar) != isSeparator {
                Issue.record("U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test func `what is not assigned yet is a letter, but where pictographs are to come`() throws {
        for value in [0x1FAC9, 0x1F8FF, 0x1FC00, 0x1FFFD] as [UInt32] {
            #expect(WordTable.isSeparator(try #require(Unicode.Scalar(value))))
        }
        for value in [0x378, 0x2FE0, 0x11FF8, 0x323B0] as [UInt32] {
            #expect(!WordTable.isSeparator(try #require(Unicode.Scalar(value))))
        }
    }

    /// The words that the tokenizer makes of a text.
    private static func words(in text: String) throws -> Set<String> {
        try DatabaseQueue().inDatabase { database in
            try SearchTokenizer.register(in: database)
            try database.execute(
                sql:
                    "CREATE VIRTUAL TABLE label USING fts5(text, tokenize='\(SearchTokenizer.name) remove_diacritics 2')"
            )
            try database.execute(sql: "CREATE VIRTUAL TABLE words USING fts5vocab('label', 'row')")
            try database.execute(sql: "INSERT INTO label VALUES (?)", arguments: [text])
            return try String.fetchSet(database, sql: "SELECT term FROM words")
        }
    }

    @Test func `no separator becomes a part of a word`() throws {
        let separators = Self.characters.filter { $0.value > 0 && WordTable.isSeparator($0) }
        #expect(separators.count > 8000)
        let text = separators.enumerated().map { "riff\($0.offset)\($0.element)" }.joined()
        #expect(try Self.words(in: text) == Set(separators.indices.map { "riff\($0)" }))
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a word that is typed is cut as it is in the index`(seed: UInt64) throws {
        let parts = [
            "riff", "\u{1F941}", "é", "\u{301}", "練習", "\u{200B}", "\u{1FAE8}", "½", "\u{20C0}", "a",
            "\u{FE0F}", "9",
        ]
        var dice = SeededRandom(seed: seed)
        for _ in 0..<30 {
            let text = (0..<6).map { _ in dice.element(of: parts) }.joined()
            let typed = SearchWords(text).terms.map(\.text).joined(separator: " ")
            #expect(try Self.words(in: typed) == Self.words(in: text), "\(text.debugDescription)")
        }
    }
}
