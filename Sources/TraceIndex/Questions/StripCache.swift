internal import RecordFormat
internal import Synchronization
internal import SystemPackage

/// Where the markers of sessions stand that were asked for lately (``JournalIndex/markerStrip(of:from:to:cells:keptIn:)``), so that a
/// session is counted once: what is appended is added, and a session that changed otherwise is counted again.
///
/// It holds no truth of its own: what it keeps is compared with the index by each question.
package final class StripCache: Sendable {
    private let state = Mutex(State())
    private let byteLimit: Int

    private struct State {
        var sessions: [FilePath: (kept: KeptStrips, bytes: Int, lastUse: Int)] = [:]
        var useCount = 0
    }

    /// - Parameter byteLimit: How much memory it takes at most, in bytes; a marker takes five.
    package init(byteLimit: Int = 16 << 20) { self.byteLimit = byteLimit }

    /// What is kept of a session; nothing yet, if it was not asked for.
    func strips(of session: FilePath) -> KeptStrips {
        state.withLock { state in
            state.useCount += 1
            let kept = state.sessions[session]?.kept ?? KeptStrips()
            state.sessions[session] = (kept, state.sessions[session]?.bytes ?? 0, state.useCount)
            return kept
        }
    }

    /// Notes how much memory a session takes, and forgets those that were asked for longest ago, if it is too much now.
    func note(_ bytes: Int, of session: FilePath) {
        state.withLock { state in
            state.sessions[session]?.bytes = bytes
            var sum = state.sessions.values.reduce(0) { $0 + $1.bytes + Self.overhead }
            while sum > byteLimit,
                let oldest = state.sessions.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.sessions[oldest.key] = nil
                sum -= oldest.value.bytes + Self.overhead
            }
        }
    }

    /// Of a session without markers, in bytes.
    private static let overhead = 1024

    /// How many sessions are kept, and the bytes of their markers.
    package var contents: (sessions: Int, bytes: Int) {
        state.withLock { ($0.sessions.count, $0.sessions.values.reduce(0) { $0 + $1.bytes }) }
    }
}

/// The markers of one session, as of one state of the index. One question at a time uses it; another waits for it, and is answered by
/// what the first one has counted.
final class KeptStrips: Sendable {
    let contents = Mutex(Contents())

    /// What is kept, and of which rows.
    struct Contents {
        private(set) var rows: Rows?
        private(set) var markers = MarkerOffsets()
        private var strips: [(key: Key, strip: MarkerStrip)] = []

        /// Which rows were counted: those of a file, up to a line.
        struct Rows: Equatable {
            /// Of the index.
            var epoch: Int64
            var file: Int64
            /// The revision since which rows were only added.
            var since: Int64
            /// The first line that was not counted.
            var nextLine: Int

            /// Whether these are those of another state and perhaps some behind them.
            func continues(_ other: Rows) -> Bool {
                epoch == other.epoch && file == other.file && since == other.since
                    && nextLine >= other.nextLine
            }
        }

        private struct Key: Equatable {
            let offsets: ClosedRange<SessionOffset>
            let cells: Int
        }

        /// How many strips are kept of a session: a few clients look at it, each at all of it and at a part.
        private static let stripLimit = 4

        /// In bytes.
        var byteCount: Int {
            markers.byteCount
                + strips.reduce(0) { $0 + $1.strip.counts.count * MemoryLayout<Int>.size * 8 }
        }

        /// Brings the markers up to some rows.
        ///
        /// - Parameter read: Gets the line from which on rows are asked for.
        /// - Returns: False if there is a marker that can't be kept; then nothing is.
        mutating func bringUp(to new: Rows, _ read: (_ line: Int) throws -> Query) throws -> Bool {
            if rows == new { return true }
            let first: Int
            if let rows, new.continues(rows) {
                first = rows.nextLine
            } else {
                markers = MarkerOffsets()
                first = 0
            }
            strips = []
            // Nothing of it holds if this fails.
            rows = nil
            guard try markers.add(read(first)) else {
                markers = MarkerOffsets()
                return false
            }
            rows = new
            return true
        }

        /// The strip of a stretch, which was asked for before or is counted now.
        ///
        /// - Parameter empty: The stretch and the cells, all of them empty.
        mutating func strip(_ empty: MarkerStrip) -> MarkerStrip {
            let key = Key(offsets: empty.offsets, cells: empty.counts.count)
            if let known = strips.first(where: { $0.key == key }) { return known.strip }
            let strip = markers.strip(empty)
            if strips.count == Self.stripLimit { strips.removeFirst() }
            strips.append((key, strip))
            return strip
        }
    }
}
