internal import GRDB

/// The tables in which FTS5 keeps the search text, looked at without it.
///
/// FTS5 takes a page of zeros, or one that nothing leads to, for one without the word that is searched for: it finds nothing, and says
/// nothing. SQLite's own check of a database does not look into these tables. So they are compared with each other here: far less
/// than FTS5's own check does, which takes the right to write and reads all words, and little enough for each search.
///
/// Source: SQLite's `fts5_index.c`, "STRUCTURE RECORD", "SEGMENT B-TREE FORMAT" and "AVERAGES RECORD".
struct SearchTables {
    let database: Database

    /// The rows of `search_data` that are not pages of words.
    private static let averages: Int64 = 1
    private static let structure: Int64 = 10
    /// A page's key is its segment's number, here, and its own number in the lowest bits.
    private static let segmentShift: Int64 = 37
    private static let pageMask: Int64 = 0x7FFF_FFFF
    /// Those bits are set in the keys of what is not a page of words.
    private static let otherBits: Int64 = 0x3F << 31

    /// Why they can't be as FTS5 has written them, or nil.
    ///
    /// - Complexity: O(pages + records), of which it reads the keys and some bytes.
    func damage() throws -> String? {
        // Without it FTS5 refuses whatever it is asked.
        guard
            try database.query("SELECT 1 FROM search_config WHERE k = 'version'").first({ _ in true }) != nil
        else { return "its format is not noted" }
        guard let averages = try block(Self.averages), let structure = try block(Self.structure) else {
            return "it has no structure"
        }
        let known = try count("SELECT count(*) FROM search_docsize")
        var numbers = Varints(averages)
        guard known == (averages.isEmpty ? 0 : numbers.next()) else { return "texts are missing" }
        if try known == 0 && hasFilled() { return "it is empty" }
        guard
            try count("SELECT count(*) FROM search_docsize WHERE id < 0")
                == count("SELECT count(*) FROM title")
        else { return "titles are missing" }
        guard let segments = Self.segments(structure) else { return "its structure can't be read" }
        // Behind the number of texts there is that of the words in each column.
        var hasWords = false
        while let words = numbers.next() { hasWords = hasWords || words > 0 }
        guard !hasWords || segments.contains(where: { $0.first > 0 }) else { return "its words are missing" }
        guard let pages = try pages() else { return "a page was overwritten" }
        for segment in segments where segment.first > 0 {
            let own = (pages[segment.id] ?? []).filter { segment.first...segment.last ~= $0.number }
            guard own.count == segment.last - segment.first + 1 else { return "pages are missing" }
            let found = try foundPages(of: segment.id)
            guard own.allSatisfy({ !$0.hasTerms || found.contains($0.number) }) else {
                return "nothing leads to some of its pages"
            }
        }
        return nil
    }

    /// Whether any line that was filled in has words.
    private func hasFilled() throws -> Bool {
        try database.query(
            """
            SELECT 1 FROM search_text JOIN file ON file.id = search_text.id >> 32
            WHERE is_searched AND search_text.id & 0xFFFFFFFF < search_line LIMIT 1
            """
        ).first { _ in true } ?? false
    }

    private func count(_ sql: String) throws -> Int64 { try database.query(sql).first { $0.int(0) } ?? 0 }

    private func block(_ key: Int64) throws -> [UInt8]? {
        try database.query("SELECT block FROM search_data WHERE id = ?").with(key).first { $0.blob(0) }
    }

    /// A sorted run of words, and the numbers of its first and last page; 0 where a merge has taken all of them.
    private struct Segment {
        var id: Int64
        var first: Int64
        var last: Int64
    }

    private struct Page {
        var number: Int64
        /// Whether a word begins in it, so that it is found by words.
        var hasTerms: Bool
    }

    private static func segments(_ structure: [UInt8]) -> [Segment]? {
        // Four bytes count the changes of the settings.
        var numbers = Varints(structure.dropFirst(4))
        guard let levels = numbers.next(), numbers.next() != nil, numbers.next() != nil, levels <= 64 else {
            return nil
        }
        var segments: [Segment] = []
        for _ in 0..<levels {
            guard numbers.next() != nil, let count = numbers.next(), count <= 2000 else { return nil }
            for _ in 0..<count {
                guard let id = numbers.next(), let first = numbers.next(), let last = numbers.next(),
                    0...last ~= first
                else { return nil }
                segments.append(Segment(id: id, first: first, last: last))
            }
        }
        return segments
    }

    /// The pages of words of each segment; nil if one begins with what FTS5 does not write.
    private func pages() throws -> [Int64: [Page]]? {
        var pages: [Int64: [Page]] = [:]
        var isSound = true
        try database.query(
            "SELECT id, length(block), substr(block, 1, 4) FROM search_data WHERE id >= ? AND id & ? = 0"
        ).with(1 << Self.segmentShift, Self.otherBits).forEach { row in
            let (key, length, header) = (row.int(0), row.int(1), row.blob(2))
            guard header.count == 4 else { return isSound = false }
            // Where the first record is, if one begins in it, and where the words end and the list of them begins.
            let record = Int64(header[0]) << 8 | Int64(header[1])
            let end = Int64(header[2]) << 8 | Int64(header[3])
            guard 4...length ~= end, record == 0 || 4...end ~= record else { return isSound = false }
            pages[key >> Self.segmentShift, default: []].append(
                Page(number: key & Self.pageMask, hasTerms: end < length))
        }
        return isSound ? pages : nil
    }

    /// The pages to which words lead.
    private func foundPages(of segment: Int64) throws -> Set<Int64> {
        var found: Set<Int64> = []
        try database.query("SELECT pgno >> 1 FROM search_idx WHERE segid = ?").with(segment).forEach {
            found.insert($0.int(0))
        }
        return found
    }
}

/// Numbers as SQLite writes them: seven bits a byte, the highest first, and all eight of a ninth.
private struct Varints {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }
    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next one; nil at the end, and for one that is cut off or larger than any that is a count.
    mutating func next() -> Int64? {
        var number: Int64 = 0
        for _ in 0..<8 {
            guard let byte = bytes.popFirst() else { return nil }
            number = number << 7 | Int64(byte & 0x7F)
            if byte < 0x80 { return number }
        }
        return nil
    }
}
