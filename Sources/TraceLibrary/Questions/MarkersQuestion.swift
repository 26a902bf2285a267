package import RecordFormat
package import SystemPackage
package import TraceFormat
package import TraceIndex
package import TraceStore
internal import TraceText

/// The markers of one session, by offset: `trace markers list`. They are found by the index or in the file; the lines
/// themselves always come from the file.
package struct MarkersQuestion: Sendable, Hashable {
    /// What is asked of the index for a page of them.
    private var records: RecordsQuestion

    /// - Parameter tags: Only those that have all of these, ignoring case, and categories in either spelling.
    package init(
        of session: FilePath, offsets: ClosedRange<SessionOffset> = OffsetRange.whole, tags: [String] = []
    ) {
        records = RecordsQuestion(of: session, .marker)
        records.selection.offsets = offsets
        records.selection.tags = tags.map { $0.lowercased() }
    }

    /// The session's directory.
    var session: FilePath { records.selection.session }
    /// Only those that are within, counted from the start of the session.
    var offsets: ClosedRange<SessionOffset> { records.selection.offsets }
    /// Of a page: at most so many, > 0; nil for all.
    package var limit: Int? {
        get { records.limit }
        set { records.limit = newValue }
    }
    /// Of a page: where the one before ended (``RecordsAnswer/next``).
    package var after: RecordSortKey? {
        get { records.after }
        set { records.after = newValue }
    }
    /// Of a first page: as ``RecordsQuestion/around``.
    package var around: SessionOffset? {
        get { records.around }
        set { records.around = newValue }
    }

    /// Leaves only those of the markers that stand between two moments.
    ///
    /// - Parameters:
    ///   - clock: That of the session; nil if it can't be determined.
    ///   - names: What the moments are called where they are typed.
    /// - Throws: ``LibraryError`` with `.noStartTime` without a clock.
    package mutating func restrict(
        to moments: ClosedRange<Timestamp>, by clock: SessionClock?,
        named names: RangeNames = .momentOptions
    ) throws(LibraryError) {
        guard let clock else {
            throw LibraryError(
                .noStartTime,
                "\(names.lower) and \(names.upper) need the session's start_time, which can't be read")
        }
        records.selection.offsets = offsets.clamped(to: moments, by: clock)
    }

    /// How many lines the index is asked for at most where all are wanted: of more, a reading of the whole file on all cores
    /// tells sooner, for the index has its rows in another order.
    private static let indexLimit = 1 << 16

    /// All of them in the order of their offsets, to be streamed; the page means nothing.
    ///
    /// - Parameter index: One that is up to date, where there is one.
    /// - Throws: ``FileError``.
    package func markers(by index: JournalIndex?) throws -> OrderedMarkers {
        let reader = try SessionReader(session)
        let tags = records.selection.tags
        let found = try? index?.markerLines(of: session, offsets: offsets, tags: tags, limit: Self.indexLimit)
        if let found, let markers = try OrderedMarkers(in: reader, at: found.lines, where: found.isFile) {
            return markers
        }
        var choice = OrderedMarkers.Choice()
        choice.offsets = offsets
        choice.tags = tags
        return try OrderedMarkers(in: reader, choice)
    }

    /// A page of them.
    ///
    /// - Throws: As ``RecordsQuestion/answer(_:)``.
    /// - Complexity: As ``RecordsQuestion/answer(_:)``.
    package func answer(_ index: JournalIndex) throws -> RecordsAnswer { try records.answer(index) }

    /// What keeps lines from being read: what is wrong with the file as a whole, and how many lines can't be read.
    ///
    /// - Parameter index: One that is up to date for the session.
    /// - Throws: ``UnreadableFile`` if the file can't be read: it may still hold markers. ``IndexError``.
    package func readingErrors(_ index: JournalIndex) throws -> (file: [Finding], lines: Int) {
        let errors = try index.readingErrors(of: .marker, in: session)
        if let unreadable = errors.file.first(where: { $0.rule == .fileUnreadable }) {
            throw UnreadableFile(path: session.appending(RecordKind.marker.component), finding: unreadable)
        }
        return errors
    }
}

extension ClosedRange<SessionOffset> {
    /// Those of the offsets that are between two moments; where there are none, a range in which no marker can stand.
    fileprivate func clamped(to moments: ClosedRange<Timestamp>, by clock: SessionClock) -> Self {
        let none = SessionOffset(milliseconds: -1)...SessionOffset(milliseconds: -1)
        guard let within = clock.offsets(within: moments) else { return none }
        let lower = Swift.max(lowerBound, within.lowerBound)
        let upper = Swift.min(upperBound, within.upperBound)
        return lower <= upper ? lower...upper : none
    }
}
