internal import GRDB
internal import GRDBSQLite

/// The tokenizer of the search text: SQLite's own `unicode61`, but for where words end, which our own table says (``WordTable``), for
/// letters that stand for plain ones without an accent (``PlainLetters``), and for text without spaces between words, which it cuts
/// into overlapping pairs of characters.
///
/// 練習曲 becomes 練習, 習曲 and 曲: the last character stands alone too, so that a single one is found as the beginning of a
/// token wherever it is. A token's place in the text is its first character's, so that no two overlap
/// (SQLite 3.40 can't mark hits of tokens that do); ``SearchHit/Snippet/init(marked:_:)`` adds the second.
///
/// What is left between goes to `unicode61` as it is.
enum SearchTokenizer {
    static let name = "trace"

    /// Makes the tokenizer known to a connection.
    ///
    /// - Throws: `DatabaseError` if SQLite has no FTS5.
    static func register(in database: Database) throws {
        let connection = database.sqliteConnection
        var statement: SQLiteStatement?
        defer { sqlite3_finalize(statement) }
        var api: UnsafeMutablePointer<fts5_api>?
        try check(sqlite3_prepare_v2(connection, "SELECT fts5(?)", -1, &statement, nil), connection)
        try withUnsafeMutablePointer(to: &api) { place in
            try check(sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil), connection)
            try check(sqlite3_step(statement), connection, wanted: SQLITE_ROW)
        }
        guard let api, let create = api.pointee.xCreateTokenizer else {
            throw DatabaseError(
                resultCode: .SQLITE_CANTOPEN, message: "SQLite has no full-text search (FTS5)")
        }
        var functions = fts5_tokenizer(xCreate: makeTokenizer, xDelete: deleteTokenizer, xTokenize: tokenize)
        try check(create(api, name, api, &functions, nil), connection)
    }

    private static func check(
        _ code: Int32, _ connection: SQLiteConnection?, wanted: Int32 = SQLITE_OK
    ) throws {
        guard code != wanted else { return }
        let message = sqlite3_errmsg(connection).map { String(cString: $0) }
        // Not as SQLITE_ERROR, which would tell of a damaged database.
        throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: message)
    }
}

// Soundness of all below: SQLite calls these functions with what the documentation of fts5_tokenizer promises (Source:
// sqlite.org/fts5.html, "Custom Tokenizers"): each handle comes from `makeTokenizer` and goes to `deleteTokenizer` once, and
// text and context live as long as the call. One connection uses its tokenizers from one thread at a time.

/// A tokenizer's own `unicode61`.
private struct Inner {
    var functions: fts5_tokenizer
    var handle: OpaquePointer?
}

private typealias TokenCallback =
    @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) -> Int32

/// Gets the arguments of `unicode61`.
private func makeTokenizer(
    _ api: UnsafeMutableRawPointer?, _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ count: Int32, _ handle: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let api = api?.assumingMemoryBound(to: fts5_api.self), let find = api.pointee.xFindTokenizer,
        let handle
    else { return SQLITE_ERROR }
    var inner = Inner(functions: fts5_tokenizer(), handle: nil)
    var context: UnsafeMutableRawPointer?
    var code = find(api, "unicode61", &context, &inner.functions)
    guard code == SQLITE_OK, let create = inner.functions.xCreate else { return code }
    code = create(context, arguments, count, &inner.handle)
    guard code == SQLITE_OK else { return code }
    let place = UnsafeMutablePointer<Inner>.allocate(capacity: 1)
    place.initialize(to: inner)
    handle.pointee = OpaquePointer(place)
    return SQLITE_OK
}

private func deleteTokenizer(_ handle: OpaquePointer?) {
    guard let handle else { return }
    let place = UnsafeMutablePointer<Inner>(handle)
    place.pointee.functions.xDelete?(place.pointee.handle)
    place.deinitialize(count: 1)
    place.deallocate()
}

private func tokenize(
    _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32,
    _ text: UnsafePointer<CChar>?, _ size: Int32, _ take: TokenCallback?
) -> Int32 {
    guard let handle, let take else { return SQLITE_ERROR }
    let cut = UnspacedTokenizer(
        inner: UnsafeMutablePointer<Inner>(handle).pointee,
        text: UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(size)),
        flags: flags, context: context, take: take)
    return cut.run()
}

/// Hands out the tokens of a text.
private struct UnspacedTokenizer {
    let inner: Inner
    let text: UnsafeRawBufferPointer
    let flags: Int32
    let context: UnsafeMutableRawPointer?
    let take: TokenCallback

    func run() -> Int32 {
        var position = 0
        // Where begins what has not been handed out.
        var start = 0
        while position < text.count {
            guard text[position] >= UnspacedText.firstLead,
                let unit = UnspacedText.unit(in: text, at: position)
            else {
                position += 1
                continue
            }
            var code = spaced(start..<position)
            guard code == SQLITE_OK else { return code }
            (code, position) = run(from: unit)
            guard code == SQLITE_OK else { return code }
            start = position
        }
        return spaced(start..<text.count)
    }

    /// Hands out the pairs of a run; says where it ends.
    private func run(from first: UnspacedText.Unit) -> (code: Int32, end: Int) {
        var unit = first
        var isPaired = false
        while let next = UnspacedText.unit(in: text, at: unit.range.upperBound) {
            let code = token(unit, next.scalar)
            guard code == SQLITE_OK else { return (code, next.range.upperBound) }
            unit = next
            isPaired = true
        }
        let end = unit.range.upperBound
        // What is searched for may be the middle of a longer run.
        let isOpen = flags & FTS5_TOKENIZE_QUERY != 0 && end == text.count && isPaired
        return (isOpen ? SQLITE_OK : token(unit, nil), end)
    }

    private func token(_ unit: UnspacedText.Unit, _ second: Unicode.Scalar?) -> Int32 {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 8) { memory in
            var size = 0
            func append(_ scalar: Unicode.Scalar) {
                for byte in UTF8.encode(scalar) ?? UTF8.EncodedScalar() {
                    memory[size] = CChar(bitPattern: byte)
                    size += 1
                }
            }
            append(unit.scalar)
            if let second { append(second) }
            return take(
                context, 0, memory.baseAddress, Int32(size), Int32(unit.range.lowerBound),
                Int32(unit.range.upperBound))
        }
    }

    /// Hands out the words of a stretch of the text, each of what is between two separators.
    private func spaced(_ range: Range<Int>) -> Int32 {
        var start = range.lowerBound
        var position = start
        while position < range.upperBound {
            // Of ASCII, `unicode61` knows the separators as well.
            guard text[position] >= 0x80,
                let (scalar, length) = UnspacedText.scalar(in: text, at: position)
            else {
                position += 1
                continue
            }
            if WordTable.isSeparator(scalar) {
                let code = words(start..<position)
                guard code == SQLITE_OK else { return code }
                start = position + length
            }
            position += length
        }
        return words(start..<range.upperBound)
    }

    /// Has `unicode61` cut a part of the text.
    private func words(_ range: Range<Int>) -> Int32 {
        guard let cut = inner.functions.xTokenize, !range.isEmpty else { return SQLITE_OK }
        let start = text.baseAddress.map { ($0 + range.lowerBound).assumingMemoryBound(to: CChar.self) }
        let isPlain = text[range].allSatisfy { $0 < 0x80 }
        if isPlain, range.lowerBound == 0 {
            return cut(inner.handle, context, flags, start, Int32(range.count), take)
        }
        var shifted = ShiftedTokenContext(context: context, take: take, distance: Int32(range.lowerBound))
        return isPlain
            ? cut(inner.handle, &shifted, flags, start, Int32(range.count), forwardShifted)
            : cut(inner.handle, &shifted, flags, start, Int32(range.count), forwardFolded)
    }
}

/// What gets the tokens of a stretch that does not begin where the text does, or is not all ASCII.
private struct ShiftedTokenContext {
    let context: UnsafeMutableRawPointer?
    let take: TokenCallback
    let distance: Int32
}

private func forwardShifted(
    _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ token: UnsafePointer<CChar>?, _ size: Int32,
    _ start: Int32, _ end: Int32
) -> Int32 {
    guard let taker = context?.assumingMemoryBound(to: ShiftedTokenContext.self).pointee else {
        return SQLITE_ERROR
    }
    return taker.take(taker.context, flags, token, size, start + taker.distance, end + taker.distance)
}

/// In plain letters.
private func forwardFolded(
    _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ token: UnsafePointer<CChar>?, _ size: Int32,
    _ start: Int32, _ end: Int32
) -> Int32 {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: max(Int(size), 1)) { memory in
        let whole = UnsafeRawBufferPointer(start: token, count: token == nil ? 0 : Int(size))
        guard let count = PlainLetters.fold(whole, into: memory) else {
            return forwardShifted(context, flags, token, size, start, end)
        }
        return forwardShifted(context, flags, memory.baseAddress, Int32(count), start, end)
    }
}
