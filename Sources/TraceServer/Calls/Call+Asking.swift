internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

extension Call {
    /// Asks about all sessions that the client may see; again, as long as files change under the question.
    ///
    /// - Parameter body: Asks. What it shows that only the index says, it notes (``AnswerFreshness/note(shown:)``), so that these
    ///   sessions are compared besides.
    func askAll<Result>(_ body: (AllSessions) throws -> Result) throws -> Result {
        try askAll(asking: watched, body)
    }

    /// - Parameter watched: Asks the daemon what need not be compared; nil to compare everything.
    func askAll<Result>(
        asking watched: (@Sendable () -> WatchedRoots?)?, _ body: (AllSessions) throws -> Result
    ) throws -> Result {
        let library = try context.library(watched: watched)
        let scope = visitor.sessions(of: context.roots)
        return try ask(library, mayLeaveOut: true) { index, fresh in
            let asked: RecordFilter.Scope =
                scope.filter == nil
                ? .roots(context.roots.paths)
                : .sessions(
                    try index.sessions(SessionFilter(), isCounted: false).filter { scope.contains($0) }
                        .map(\.path)
                        + index.uncountedJournals(kinds: index.formats.otherKinds).filter {
                            scope.contains($0)
                        }.map(\.path))
            freshness.note(leftOut: try fresh.leftOutCount(in: index) { asked.names($0) ?? true })
            return try body(AllSessions(index: index, library: library, scope: fresh.narrowed(asked)))
        }
    }

    /// Asks an index that is up to date with all journals, whether or not the client may see them; again, as long as files change under
    /// the question.
    ///
    /// - Parameter mayLeaveOut: Whether the answer can do without a journal whose files keep changing or can't be read.
    func ask<Result>(
        _ library: JournalLibrary, mayLeaveOut: Bool = false,
        _ body: (JournalIndex, FreshIndex) throws -> Result
    ) throws -> Result {
        let fresh = FreshIndex(library, session: nil, listsUnreadable: false, mayLeaveOut: mayLeaveOut)
        defer { freshness.note(isWatched: fresh.isWatched) }
        return try fresh.answer(comparing: { _ in freshness.shown }) { try body($0, fresh) }
    }

    /// Asks about one session; again, as long as its files change under the question.
    ///
    /// - Parameter isLater: Whether the session was not found just now, so that its files are to be compared once more.
    func ask<Result>(
        _ session: CalledSession, isLater: Bool = false, _ body: (JournalIndex) throws -> Result
    ) throws -> Result {
        try FreshIndex(
            context.library(), session: session.path, isCompared: !isLater, listsUnreadable: false
        ).answer(body)
    }

    // MARK: - Pages

    /// The parameters of a list.
    static let pageQuery = [
        DeclaredParameter(
            name: "limit", type: .integer(1...1000), summary: "The maximum number of rows; 100 if omitted"),
        DeclaredParameter(
            name: "after", type: .cursor, summary: "The cursor in the Link of the previous page"),
    ]

    /// The type of a page of a list.
    private static let pageType = "application/json"

    /// The types of a list: a page of JSON, or all of it.
    static let listTypes = listTypes(with: [.lines])

    /// The types of a list of which all can be had in some forms.
    static func listTypes(with forms: [WholeList]) -> [String] { [pageType] + forms.map(\.type) }

    /// In which form all of a list is asked for; nil for a page of it.
    ///
    /// - Throws: ``Problem`` with 406.
    func wholeForm(of forms: [WholeList] = [.lines]) throws -> WholeList? {
        let type = try accepted(Self.listTypes(with: forms))
        return forms.first { $0.type == type }
    }

    /// How many rows are read at once where all are wanted.
    static let streamedRows = 1000

    /// A page of a list, or all of it.
    ///
    /// - Parameters:
    ///   - after: Where it begins.
    ///   - key: The cursor of a sort key, and the sort key of a cursor.
    ///   - forms: In which all of it can be had.
    ///   - page: Reads some rows behind a sort key.
    func list<Key: Sendable>(
        _ key: CursorCoding<Key>, from first: Key? = nil, forms: [WholeList] = [.lines],
        _ page: @escaping @Sendable (_ after: Key?, _ limit: Int) throws -> ListPage<Key>
    ) throws -> Response {
        guard let form = try wholeForm(of: forms) else { return try self.page(key, from: first, page) }
        // The first rows now: what is wrong with the question is said by the status.
        let first = try Self.step(place(key) ?? first, form, head: form.head, page)
        return Response(
            .ok, [.contentType: form.contentType], body: .source(PageLines { first }, length: nil))
    }

    /// Where a page begins, if the client says so.
    private func place<Key: Sendable>(_ key: CursorCoding<Key>) throws -> Key? {
        try self["after"].map { try key.decode(Cursor($0)) }
    }

    private func page<Key: Sendable>(
        _ key: CursorCoding<Key>, from first: Key? = nil, _ page: (Key?, Int) throws -> ListPage<Key>
    ) throws -> Response {
        let page = try page(place(key) ?? first, limit())
        return Response.json(.array(page.rows)).with(.link, page.next.map { link(to: key.encode($0)) })
    }

    /// The link to the page that begins at a cursor.
    func link(to next: Cursor) -> String {
        var items = query.filter { $0.key != "after" }.sorted { $0.key < $1.key }.flatMap { name, values in
            values.map { (name: name, value: $0) }
        }
        items.append((name: "after", value: next.text))
        return LinkHeader.next(items)
    }

    /// The same of a list about all sessions that the client may see.
    ///
    /// - Parameter moments: What the moments of the query mean now.
    func listAll<Key: Sendable>(
        _ key: CursorCoding<Key>, _ moments: ClosedRange<Timestamp>?,
        _ page:
            @escaping @Sendable (_ asked: AllSessions, _ after: Key?, _ limit: Int) throws -> ListPage<Key>
    ) throws -> Response {
        guard try wholeForm() == nil else {
            // Each page is of another moment.
            return try list(key) { after, limit in try askAll { try page($0, after, limit) } }
        }
        return try recalled(moments) { watched in
            try askAll(asking: watched) { asked in
                try self.page(key) { after, limit in try page(asked, after, limit) }
            }
        }
    }

    private static func step<Key: Sendable>(
        _ after: Key?, _ form: WholeList, head: [UInt8] = [],
        _ page: @escaping @Sendable (Key?, Int) throws -> ListPage<Key>
    ) throws -> PageLines.Step {
        let (rows, next) = try { ($0.rows, $0.next) }(page(after, streamedRows))
        var bytes = ByteBuffer(bytes: head)
        for row in rows { form.write(row.bytes, &bytes) }
        guard let next else { return PageLines.Step(bytes: bytes, rest: nil) }
        return PageLines.Step(bytes: bytes, rest: { try step(next, form, page) })
    }
}

/// All sessions that a client may see.
struct AllSessions {
    /// Up to date.
    let index: JournalIndex
    let library: JournalLibrary
    /// Which of the index.
    let scope: RecordFilter.Scope
}

/// Some rows of a list.
struct ListPage<Key: Sendable> {
    var rows: [JSONText] = []
    /// The sort key of the last one, if there are more.
    var next: Key?
}

/// A list as lines, page by page: as much of it as the client has taken, and no more, is in memory.
struct PageLines: ResponseSource {
    /// What a step has made, and what makes the next.
    struct Step: Sendable {
        let bytes: ByteBuffer
        let rest: (@Sendable () throws -> Step)?
    }

    private var rest: (@Sendable () throws -> Step)?

    init(_ first: @escaping @Sendable () throws -> Step) { rest = first }

    mutating func next(atMost _: Int) throws -> ByteBuffer? {
        guard let step = try rest?() else { return nil }
        rest = step.rest
        return step.bytes
    }
}

/// How a sort key is a cursor.
struct CursorCoding<Key: Sendable>: Sendable {
    let encode: @Sendable (Key) -> Cursor
    /// - Throws: ``ProtocolError`` with `.cursorMalformed`.
    let decode: @Sendable (Cursor) throws -> Key
}

extension CursorCoding<RecordSortKey> {
    /// An offset and a line.
    static let record = CursorCoding(
        encode: { Cursor([.integer($0.offset.milliseconds), .integer(Int64($0.line))]) },
        decode: { cursor in
            var reader = cursor.reader
            let key = RecordSortKey(
                offset: SessionOffset(milliseconds: try reader.integer()), line: Int(try reader.integer()))
            try reader.finish()
            return key
        })
}

extension CursorCoding<SessionSortKey> {
    /// A start and a directory, of which clients must not know: it is sealed.
    static func session(_ seal: CursorSeal) -> Self {
        CursorCoding(
            encode: { key in
                let start = key.startTime?.milliseconds
                return seal.closed(
                    Cursor([.integer(start == nil ? 0 : 1), .integer(start ?? 0), .bytes(key.path.bytes)]))
            },
            decode: { cursor in
                var reader = try seal.opened(cursor).reader
                let hasStart = try reader.integer() == 1
                let start = try reader.integer()
                let path = FilePath(bytes: try reader.bytes())
                try reader.finish()
                return SessionSortKey(startTime: hasStart ? Timestamp(milliseconds: start) : nil, path: path)
            })
    }
}

extension CursorCoding<MarkerSortKey> {
    /// A moment, a directory and a place in it; sealed.
    static func marker(_ seal: CursorSeal) -> Self {
        CursorCoding(
            encode: { key in
                let moment = key.wallTime?.milliseconds
                return seal.closed(
                    Cursor([
                        .integer(moment == nil ? 0 : 1), .integer(moment ?? 0), .bytes(key.session.bytes),
                        .integer(key.record.offset.milliseconds), .integer(Int64(key.record.line)),
                    ]))
            },
            decode: { cursor in
                var reader = try seal.opened(cursor).reader
                let hasMoment = try reader.integer() == 1
                let moment = try reader.integer()
                let path = FilePath(bytes: try reader.bytes())
                let record = RecordSortKey(
                    offset: SessionOffset(milliseconds: try reader.integer()), line: Int(try reader.integer())
                )
                try reader.finish()
                return MarkerSortKey(
                    wallTime: hasMoment ? Timestamp(milliseconds: moment) : nil, session: path, record: record
                )
            })
    }
}
