package import RecordFormat
package import SystemPackage
package import TraceIndex
internal import TraceText

/// How many markers of each category stand in equal pieces of a session: what a strip and a scroll bar show.
package struct StripQuestion: Sendable, Hashable {
    /// The session's directory.
    let session: FilePath
    /// How many pieces, from 1 to ``cellLimit``.
    let cells: Int
    /// Where the first begins; nil for the session's start.
    package var first: SessionOffset?
    /// Where the last ends, inclusive; nil for the session's end, or its last marker if that is later.
    package var last: SessionOffset?

    /// More cells than a screen has columns of pixels to show them in.
    package static let cellLimit = 2000

    /// - Throws: ``LibraryError`` with `.cellsOutOfRange`.
    package init(of session: FilePath, cells: Int) throws(LibraryError) {
        self.session = session
        self.cells = cells
        guard (1...Self.cellLimit).contains(cells) else {
            throw LibraryError(
                .cellsOutOfRange, "\(cells) cells were asked for",
                cure: "ask for 1 to \(Self.cellLimit)")
        }
    }

    /// - Parameters:
    ///   - index: One that is up to date for the session.
    ///   - cache: What is kept between questions.
    /// - Throws: ``IndexError``, with `.noSuchSession` if the index does not know it.
    /// - Complexity: O(markers within the stretch), in one pass over their rows
    ///   (``JournalIndex/markerStrip(of:from:to:cells:keptIn:)``); with a cache, the rows that are new.
    package func answer(_ index: JournalIndex, keptIn cache: StripCache? = nil) throws -> StripAnswer {
        StripAnswer(
            strip: try index.markerStrip(
                of: session, from: first, to: last, cells: cells, keptIn: cache))
    }
}
