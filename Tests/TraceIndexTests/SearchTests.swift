import GRDB
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFormat
import TraceText

@testable import TraceIndex

/// What is found by its words.
@Suite struct SearchTests {
    private let scratch: Scratch
    private let folder: SessionFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        folder = try scratch.session()
        index = try scratch.index()
        try folder.append(
            SessionFolder.marker(
                1, at: 5000, more: #","tags":["highlight"],"label":"Café Übersee","note":"loud intro""#)
                + SessionFolder.marker(2, at: 1000, more: #","label":"Intro, the first take""#)
                + SessionFolder.marker(3, at: 7000)
                + SessionFolder.marker(2, at: 1000, more: #","label":"Outro""#))
        try folder.append(
            SessionFolder.voiceNote(7, at: 2000, more: #","transcript_text":"Play the introduction again""#),
            to: "voice_notes.jsonl")
        try folder.append(SessionFolder.segment(9, at: 3000), to: "transcript.jsonl")
        try reconcile()
    }

    private func reconcile() throws {
        _ = try index.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
    }

    private var everything: RecordFilter { RecordFilter(.roots([scratch.root])) }

    /// What is found, as `kind offset`.
    private func found(_ text: String, _ filter: RecordFilter? = nil, limit: Int = 100) throws -> [String] {
        try index.fillSearch()
        return try index.search(SearchWords(text), filter ?? everything, limit: limit).map { hit in
            "\(hit.kindName) \(hit.record?.offset?.milliseconds ?? -1)"
        }.sorted()
    }

    @Test(arguments: [
        ("intro", ["marker 5000"]), ("INTRO*", ["marker 5000", "voice_note 2000"]),
        ("cafe ubersee", ["marker 5000"]), ("CAFÉ", ["marker 5000"]), ("outro", ["marker 1000"]),
        ("first", []), ("the introduction", ["voice_note 2000"]), ("introduction the", ["voice_note 2000"]),
        ("\"introduction the\"", []), ("\"the intro\"*", ["voice_note 2000"]), ("loud café", ["marker 5000"]),
        ("late set", ["session -1"]), ("words 9", ["transcript 3000"]), ("intro OR outro", []),
        ("loud-intro", ["marker 5000"]), ("intro-loud", []), ("", []), ("-- \"\" *", []), ("no", []),
    ])
    func `words are found whole, phrases in quotes, beginnings with a star`(text: String, wanted: [String])
        throws
    {
        #expect(try found(text) == wanted)
    }

    @Test(arguments: [
        "riff\u{1F941}", "\u{1F941}riff", "riff\u{1FAE8}\u{1F941}solo", "riff\u{20C0}",
        "a\u{1FACE}riff\u{1FAE9}",
    ])
    func `a word is found whatever symbol touches it, and so is what was typed with the symbol`(label: String)
        throws
    {
        try folder.append(SessionFolder.marker(40, at: 9000, more: #","label":"\#(label)""#))
        try reconcile()
        for typed in ["riff", "ri*", label, "\"\(label)\"", "riff\u{1F941}", "\u{1FACF}riff"] {
            #expect(try found(typed) == ["marker 9000"], "\(typed)")
        }
        #expect(SearchWords("\u{1F941}").terms.isEmpty)
        let hit = try #require(try index.search(SearchWords("riff"), everything, limit: 9).first)
        #expect(hit.snippet.text == label && hit.snippet.parts.filter(\.isHit).map(\.text) == ["riff"])
        #expect(try index.isSearchConsistent())
    }

    @Test(arguments: [
        ("Smørrebrød", "smorrebrod"), ("Straße", "strasse"), ("STRASSE", "straße"), ("Łódź", "lodz"),
        ("Ærø", "aero"),
        ("Đorđe", "dorde"), ("Þórr", "thorr"), ("ısı", "isi"), ("Œuvre", "oeuvre"), ("Ħamrun", "hamrun"),
        ("Ŋ", "n"),
        ("Ǿvre", "ovre"), ("Ø\u{301}vre", "ovre"), ("ĳssel", "ijssel"), ("ﬁnale", "finale"), ("Əli", "eli"),
        ("GROẞ", "gross"), ("İstanbul", "istanbul"), ("練習 Øving 曲", "oving"), ("🥁Øving", "oving"),
    ])
    func `letters that are not plain ones with an accent are found by plain ones, and the other way round`(
        label: String, typed: String
    ) throws {
        try folder.append(
            SessionFolder.marker(40, at: 9000, more: #","label":"\#(label)""#)
                + SessionFolder.marker(41, at: 9500, more: #","label":"\#(typed)""#))
        try reconcile()
        for words in [typed, label, typed.uppercased(), typed + "*", "\"\(label)\""]
        where !words.contains("練") {
            #expect(try found(words).contains("marker 9000"), "\(words)")
        }
        let word = label.split { " 🥁".contains($0) }.first { !$0.contains("練") }.map(String.init) ?? label
        #expect(try found(word) == ["marker 9000", "marker 9500"])
        let hits = try index.search(SearchWords(typed), everything, limit: 9).map(\.snippet)
        #expect(hits.contains { $0.text == label && $0.parts.filter(\.isHit).map(\.text) == [word] })
        #expect(try index.isSearchConsistent())
    }

    // MARK: - Damage

    /// What is done to the tables behind the search text, each of which SQLite takes for sound.
    private static let damage = [
        "UPDATE search_data SET block = zeroblob(length(block)) WHERE id > 10",
        "DELETE FROM search_idx", "DELETE FROM search_docsize", "DELETE FROM search_docsize WHERE id < 0",
        "DELETE FROM search_data WHERE id > 10", "DELETE FROM search_data",
        "DELETE FROM search_data WHERE id = 1",
        "UPDATE search_data SET block = x'00000000000000' WHERE id = 10",
        "DELETE FROM search_data WHERE id > 10; DELETE FROM search_idx; DELETE FROM search_docsize; "
            + "UPDATE search_data SET block = x'' WHERE id = 1; UPDATE search_data SET block = x'00000000000000' WHERE id = 10",
    ]

    @Test(arguments: damage)
    func `damage of the search text is seen, and filled in again`(statement: String) throws {
        #expect(try found("intro") == ["marker 5000"])
        #expect(try !index.clearDamagedSearch(ifDoubtful: false))
        let before = try index.dump()
        let other = try DatabaseQueue(path: scratch.database.string)
        try other.writeWithoutTransaction { try $0.execute(sql: statement) }
        try other.close()
        #expect(try index.clearDamagedSearch(ifDoubtful: true))
        #expect(try found("intro") == ["marker 5000"])
        #expect(try found("late set") == ["session -1"])
        #expect(try !index.clearDamagedSearch(ifDoubtful: true))
        #expect(try index.isSearchConsistent())
        #expect(try index.dump() == before)
        #expect(index.drainNotices() == [])
    }

    @Test func `a format that is not noted costs the index, and no question for good`() throws {
        try index.fillSearch()
        let other = try DatabaseQueue(path: scratch.database.string)
        try other.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM search_config") }
        try other.close()
        let reopened = try scratch.index()
        _ = try? reopened.fillSearch()
        _ = try? reopened.search(SearchWords("intro"), everything, limit: 9)
        _ = try reopened.reconcile(journal: folder.path, in: scratch.root, settleTime: .zero)
        _ = try reopened.clearDamagedSearch(ifDoubtful: true)
        try reopened.fillSearch()
        #expect(try reopened.search(SearchWords("intro"), everything, limit: 9).count == 1)
    }

    @Test func `an index that may not be written says that it is damaged`() throws {
        try index.fillSearch()
        try index.database.write { try $0.execute(sql: "DELETE FROM search_idx") }
        let reader = try JournalIndex(readingAt: scratch.database, formats: index.formats)
        let error = #expect(throws: IndexError.self) { try reader.clearDamagedSearch(ifDoubtful: false) }
        #expect(error?.code == .corrupt)
    }

    /// Merges, removals and large batches leave pages in all the ways that FTS5 does.
    @Test(arguments: 0..<3 as Range<UInt64>)
    func `what FTS5 writes is never taken for damage`(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        var next = 100
        for _ in 0..<40 {
            let count = [1, 1, 5, 300].randomElement(using: &numbers) ?? 1
            let lines = (0..<count).map { line in
                let words = (0..<Int.random(in: 1...30, using: &numbers)).map { _ in
                    "w\(Int.random(in: 0..<3000, using: &numbers))"
                }
                return SessionFolder.marker(
                    next + line, more: #","label":"\#(words.joined(separator: " "))""#)
            }
            next += count
            if Int.random(in: 0..<6, using: &numbers) == 0 {
                try folder.write(lines.joined(), to: "markers.jsonl")
            } else {
                try folder.append(lines.joined())
            }
            try reconcile()
            try index.fillSearch()
            #expect(try !index.clearDamagedSearch(ifDoubtful: true), "seed \(seed)")
        }
    }

    @Test func `a new line of an id is found, the old one no more`() throws {
        #expect(try found("outro") == ["marker 1000"])
        try folder.append(SessionFolder.marker(2, at: 1500, more: #","label":"Bridge""#))
        try reconcile()
        #expect(try found("outro") == [])
        #expect(try found("bridge") == ["marker 1500"])
        #expect(try index.isSearchConsistent())
    }

    @Test(arguments: [
        ("intro", "intro*"), ("the intro", "the intro*"), ("\"loud intr", "\"loud intr\"*"),
        ("\"intro\"", "intro"),
        ("intro ", "intro"), ("intr -", "intr"), ("intro*", "intro*"), ("練", "練"), ("", ""),
    ])
    func `what is still being typed ends in the beginning of a word`(text: String, meant: String) {
        #expect(SearchWords(text, isUnfinished: true) == SearchWords(meant))
    }

    @Test func `filters narrow what is found`() throws {
        var filter = everything
        filter.kinds = [.voiceNote]
        #expect(try found("intro*", filter) == ["voice_note 2000"])
        filter.kinds = [.session]
        #expect(try found("set", filter) == ["session -1"])
        filter.kinds = nil
        filter.tags = ["HIGHLIGHT"]
        #expect(try found("intro*", filter) == ["marker 5000"])
        filter.tags = []
        let start = try #require(Timestamp("2026-02-04T19:00:00Z"))
        filter.moments = start...start.adding(SessionOffset(milliseconds: 2000))
        #expect(try found("intro*", filter) == ["voice_note 2000"])
        #expect(try found("set", filter) == ["session -1"])
        #expect(try found("intro*", RecordFilter(.roots(["/elsewhere"]))) == [])
        #expect(try found("intro*", RecordFilter(.roots([]))) == [])
        #expect(try found("intro*", RecordFilter(.session(folder.path))).count == 2)
        #expect(try found("intro*", limit: 1).count == 1)
    }

    @Test func `the words around a hit are shown with the hit marked, and its tags`() throws {
        try index.fillSearch()
        let hit = try #require(try index.search(SearchWords("intro"), everything, limit: 9).first)
        #expect(hit.snippet.text == "loud intro")
        #expect(hit.snippet.parts.map(\.isHit) == [false, true])
        #expect(hit.record?.tags == ["highlight"] && hit.record?.text == "Café Übersee")
        #expect(hit.record?.wallTime?.description == "2026-02-04T19:00:05.000Z")
    }

    @Test func `a title is found as it is now`() throws {
        #expect(try found("late") == ["session -1"])
        try folder.write(SessionFolder.header(title: "Early set"), to: "session.json")
        try reconcile()
        #expect(try found("late") == [])
        #expect(try found("early") == ["session -1"])
        #expect(try index.isSearchConsistent())
        try index.forget(session: folder.path)
        #expect(try found("set") == [])
        #expect(try index.isSearchConsistent())
    }

    @Test func `what lags is filled in at once where no end is set, behind what is there already too`() throws
    {
        for id in 20...22 {
            #expect(try index.fillSearch(lines: .max))
            try folder.append(SessionFolder.marker(id, at: 5, more: #","label":"riff""#))
            try reconcile()
        }
        #expect(try index.fillSearch(lines: .max))
        #expect(try found("riff").count == 3)
        #expect(try index.isSearchConsistent())
    }

    @Test func `it says how far it is filled in, and goes on where it was`() throws {
        try folder.write(
            (0..<50).map { SessionFolder.marker($0, more: #","label":"take \#($0)""#) }.joined(),
            to: "markers.jsonl")
        try reconcile()
        #expect(try index.statistics().filledLines == 0 && index.statistics().searchLags)
        #expect(try !index.fillSearch(lines: 20))
        #expect(try index.statistics().filledLines == 20)
        #expect(try index.fillSearch(lines: 100))
        let statistics = try index.statistics()
        #expect(statistics.filledLines == 52 && statistics.searchableLines == 52 && !statistics.searchLags)
        try folder.append(SessionFolder.marker(60, more: #","label":"take 60""#))
        try reconcile()
        #expect(try index.statistics().filledLines == 52)
        #expect(try found("take").count == 51)
        #expect(try index.isSearchConsistent())
    }

    @Test func `a long file that is read again empties the search text rather than take out each line`()
        throws
    {
        func lines(_ word: String) -> String {
            (0..<12_000).map { SessionFolder.marker($0, more: #","label":"\#(word) \#($0)""#) }.joined()
        }
        try folder.write(lines("before"), to: "markers.jsonl")
        try reconcile()
        #expect(try found("before", limit: 20_000).count == 12_000)
        try folder.write(lines("behind"), to: "markers.jsonl")
        try reconcile()
        #expect(try index.statistics().filledLines == 0)
        #expect(try found("before") == [])
        #expect(try found("behind", limit: 20_000).count == 12_000)
        #expect(try found("set") == ["session -1"])
        #expect(try index.isSearchConsistent())
    }

    @Test func `wrong search text is seen`() throws {
        #expect(try index.isSearchConsistent())
        try index.database.write {
            try $0.query("UPDATE record SET text = 'another' WHERE text = 'Outro'").run()
        }
        #expect(try !index.isSearchConsistent())
        try index.rebuild()
        try reconcile()
        #expect(try index.isSearchConsistent())
    }

    /// Whatever is typed is taken for words: SQLite never gets to see an expression that is none.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no input is an error`(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let pieces = [
            "\"", "*", "(", ")", "AND", "OR", "NOT", "NEAR(", "^", ":", "text:", "{", "}", "-", "+", "'",
            "\\", ";", "\0",
            "\u{301}", "\u{1F3B8}", "\u{E000}", "é", " ", " ", "intro", "loud", "\u{202E}", "%", "\n", ",",
            "½", "\u{16FE1}",
        ]
        try index.fillSearch()
        for _ in 0..<200 {
            let count = Int.random(in: 0..<120, using: &numbers)
            let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &numbers)] }
                .joined()
            _ = try index.search(SearchWords(text), everything, limit: 5)
            #expect(index.drainNotices() == [], "\(text.debugDescription)")
        }
        #expect(try found("intro") == ["marker 5000"], "seed \(seed)")
    }

    @Test func `words are read as they were typed`() {
        func terms(_ text: String) -> [String] {
            SearchWords(text).terms.map { $0.text + ($0.isPrefix ? "*" : "") }
        }
        #expect(terms(#"a "b c"  d* "e f"* "g"#) == ["a", "b c", "d*", "e f*", "g"])
        #expect(terms(#"x"y z"w"#) == ["x", "y z", "w"])
    }
}

/// What holds after anything that can happen to the files.
@Suite struct SearchTextTests {
    /// Every word with its place, but for the keys that depend on how the rows came about.
    private func words(_ index: JournalIndex) throws -> [String] {
        try index.fillSearch()
        return try index.database.write { database in
            try database.query("CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, search, 'instance')")
                .run()
            defer { try? database.query("DROP TABLE temp.word").run() }
            return try database.query(
                """
                SELECT term, coalesce(file.slot, 'title'), doc & 0xFFFFFFFF, col, offset
                FROM temp.word LEFT JOIN file ON file.id = doc >> 32 AND doc > 0 ORDER BY 1, 2, doc > 0, 3, 4, 5
                """
            ).map { row in (0..<5).map { row.text($0) ?? "-" }.joined(separator: " ") }
        }
    }

    @Test(arguments: Torture.choose(Array(UInt64(0)..<12), sample: 4, "search text"))
    func `the search text equals that of a fresh index after random changes`(seed: UInt64) throws {
        let scratch = try Scratch()
        let index = try scratch.index()
        var random = RandomSession(try scratch.session(), seed: seed)
        let session = random.folder.path
        var history = "seed \(seed)"
        for step in 0..<30 {
            history += "\n\(step): \(try random.step())"
            _ = try index.reconcile(
                journal: session, in: scratch.root, settleTime: .zero, verification: .thorough)
            // Sometimes a part of it, sometimes nothing.
            if step % 3 == 0 { _ = try index.fillSearch(lines: step % 5) }
            guard step % 4 == 3 else { continue }
            let fresh = try scratch.freshIndex(of: [session])
            try #require(try words(index) == words(fresh), "\(history)")
            try #require(try index.isSearchConsistent(), "\(history)")
        }
    }
}
