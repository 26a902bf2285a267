package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceIndex

/// Behind what a page of a timeline begins.
package struct TimelinePosition: Sendable, Hashable {
    /// The last record; nil if there was none.
    package let record: TimelineKey?
    /// The last session that has nothing; nil if there was none.
    package let session: Session?

    package init(record: TimelineKey?, session: Session?) {
        self.record = record
        self.session = session
    }

    /// When a session began, and where it is.
    package struct Session: Sendable, Hashable, Comparable {
        package let start: Timestamp
        package let path: FilePath

        package init(start: Timestamp, path: FilePath) {
            self.start = start
            self.path = path
        }

        /// Nil for a session without a start.
        init?(_ session: IndexedSession) {
            guard let start = session.startTime else { return nil }
            self.init(start: start, path: session.path)
        }

        package static func < (one: Self, other: Self) -> Bool {
            one.start == other.start
                ? one.path.bytes.lexicographicallyPrecedes(other.path.bytes) : one.start < other.start
        }
    }
}
