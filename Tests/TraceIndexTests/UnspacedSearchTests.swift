import GRDB
import RecordFormat
import SystemPackage
import TestSupport
import Testing

@testable import TraceIndex

/// What is found in scripts that write no spaces between words.
@Suite struct UnspacedSearchTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    private static let texts = [
        1000: "練習曲その二", 2000: "左手の練習", 3000: "カラオケのカ", 4000: "연습을 다시 한다", 5000: "기타연습", 6000: "ฝึกซ้อมกีตาร์",
        7000: "take 3練習take 4", 8000: "サビ(Bメロ)、ああああ", 9000: "ka\u{304B}\u{3099}kko", 10_000: "歌",
        11_000: "葛\u{E0100}城", 12_000: "\u{1100}\u{1161}\u{11BC}남 스타일", 13_000: "café groove, grooves",
        14_000: "ភាសា\u{200B}ខ្មែរ", 15_000: "練。習",
    ]

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
        try folder.append(
            Self.texts.sorted { $0.key < $1.key }.map { offset, text in
                SessionFolder.marker(offset / 1000, at: offset, more: #","label":"\#(text)""#)
            }.joined())
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        try index.fillSearch()
    }

    private func hits(_ text: String) throws -> [SearchHit] {
        try index.search(SearchWords(text), RecordFilter(.roots([scratch.root])), limit: 100)
    }

    @Test(arguments: [
        ("練習", [1000, 2000, 7000]), ("練習曲", [1000]), ("習曲", [1000]), ("習", [1000, 2000, 7000, 15_000]),
        ("曲", [1000]), ("二", [1000]), ("歌", [10_000]), ("練習 左手", [2000]), ("曲練", []), ("練曲", []),
        ("カラオケ", [3000]), ("カ", [3000]), ("ラカ", []), ("연습", [4000, 5000]), ("연습을", [4000]), ("기타", [5000]),
        ("연", [4000, 5000]), ("\"연습을 다시\"", [4000]), ("\"다시 연습\"", []), ("ซ้อม", [6000]), ("ฝึก", [6000]),
        ("กีตาร์", [6000]), ("ตร์", []), ("take", [7000]), ("3練習", [7000]), ("3練", [7000]), ("習take", [7000]),
        ("練習take 4", [7000]), ("bメロ", [8000]), ("サビ", [8000]), ("あああ", [8000]), ("あああああ", []),
        ("が", [9000]), ("\u{304B}\u{3099}", [9000]), ("か", []), ("葛城", [11_000]), ("강남", [12_000]),
        ("강", [12_000]), ("\u{1100}\u{1161}\u{11BC}남", [12_000]), ("カフェ", []), ("café", [13_000]),
        ("cafe", [13_000]),
        ("gro", []), ("gro*", [13_000]), ("ភាសាខ្មែរ", [14_000]), ("練。", [1000, 2000, 7000, 15_000]),
        ("\"練 習\"", [15_000]), ("練習*", [1000, 2000, 7000]),
    ])
    func `what was typed is found wherever it stands, and nothing else`(text: String, wanted: [Int]) throws {
        #expect(try hits(text).map { Int($0.record?.offset?.milliseconds ?? -1) }.sorted() == wanted)
    }

    @Test(arguments: [
        ("練習", 2000, "左手の|練習|"), ("習曲", 1000, "練|習曲|その二"), ("習", 1000, "練|習|曲その二"), ("二", 1000, "練習曲その|二|"),
        ("ああ", 8000, "サビ(Bメロ)、|ああああ|"), ("練習take", 7000, "take 3|練習take| 4"), ("葛城", 11_000, "|葛\u{E0100}城|"),
        ("groove", 13_000, "café |groove|, grooves"), ("강남", 12_000, "|\u{1100}\u{1161}\u{11BC}남| 스타일"),
        ("歌", 10_000, "|歌|"), ("左手 習", 2000, "|左手|の練|習|"),
    ])
    func `the text around a hit is that of the file, the hit marked`(
        text: String, offset: Int, wanted: String
    )
        throws
    {
        let hit = try #require(try hits(text).first { $0.record?.offset?.milliseconds == Int64(offset) })
        #expect(hit.snippet.parts.map { $0.isHit ? "|\($0.text)|" : $0.text }.joined() == wanted)
        #expect(hit.snippet.text == Self.texts[offset])
    }

    @Test func `a long text is cut around the hit`() throws {
        let long = String(repeating: "あいうえお", count: 200)
        try folder.append(SessionFolder.marker(90, at: 90_000, more: #","label":"\#(long)練習\#(long)""#))
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        try index.fillSearch()
        let hit = try #require(try hits("練習").first { $0.record?.offset?.milliseconds == 90_000 })
        #expect(
            hit.snippet.text.count < 50 && hit.snippet.text.hasPrefix("…") && hit.snippet.text.hasSuffix("…"))
        #expect(hit.snippet.parts.filter(\.isHit).map(\.text) == ["練習"])
    }

    @Test func `the search text is right, also after lines were taken out`() throws {
        #expect(try index.isSearchConsistent())
        try folder.write(SessionFolder.marker(1, at: 1000, more: #","label":"新しい曲""#), to: "markers.jsonl")
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        try index.fillSearch()
        #expect(try hits("練習").isEmpty)
        #expect(try hits("しい曲").count == 1)
        #expect(try index.isSearchConsistent())
    }

    @Test(arguments: [
        ("gro", "gro*"), ("gro loop", "gro* loop*"), ("gro*", nil), ("\"a gro\"", "\"a gro\"*"), ("練習", nil),
        ("練習 gro", "練習 gro*"), ("3練", nil), ("", nil),
    ])
    func `the beginning of a word is offered where it makes a difference`(text: String, wanted: String?) {
        #expect(SearchWords(text).beginnings?.typed == wanted)
    }

    /// A simple model: a run of letters is found in a label if it is part of it.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what is found is what contains it`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let alphabet = Array("練習曲歌あいがカ한국ก้").map(String.init) + ["a", "b", " ", "、"]
        func text(_ length: Int) -> String {
            (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" }.joined()
        }
        let labels = (0..<60).map { _ in text(Int.random(in: 1...9, using: &random)) }
        try folder.write(
            labels.enumerated().map { SessionFolder.marker($0 + 1, at: $0, more: #","label":"\#($1)""#) }
                .joined(),
            to: "markers.jsonl")
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        try index.fillSearch()
        let unspaced = alphabet.dropLast(4)
        for _ in 0..<40 {
            let words = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                unspaced.randomElement(using: &random) ?? "練"
            }.joined()
            let found = try hits(words).compactMap { $0.record?.offset?.milliseconds }.sorted()
            // By scalars: a vowel sign of Thai joins the letter before it to one character.
            let wanted = labels.indices.filter { labels[$0].unicodeScalars.contains(words.unicodeScalars) }
            #expect(found == wanted.map(Int64.init), "seed \(seed), '\(words)'")
        }
        #expect(try index.isSearchConsistent(), "seed \(seed)")
    }

    @Test(arguments: [
        "\u{0}", "練\u{0}習", "\u{E0100}", "練\u{200B}", "\"練", "練*習", "(練 OR 習)", "練\u{3099}\u{309A}",
        "\u{11A8}\u{1161}",
        String(repeating: "練", count: 5000), String(repeating: "練 ", count: 100), "\u{1}練\u{2}", "NEAR(練 習)",
        "練:習", "^練",
    ])
    func `whatever is typed is an answer`(text: String) throws {
        _ = try hits(text)
        _ = SearchWords(text).beginnings.map { "\($0.typed)" }
    }
}
