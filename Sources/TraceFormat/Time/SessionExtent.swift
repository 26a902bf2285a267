package import RecordFormat

/// How far the markers and voice notes of a session reach, which is its length where nothing else tells that.
///
/// What was in the session's future when it was written, by a slip or a wrong clock, counts only where there is nothing else.
package struct SessionExtent {
    private let clock: SessionClock?
    private var end: SessionOffset?
    private var beyond: SessionOffset?

    /// - Parameter clock: The session's; nil if that is not known, and then everything counts.
    package init(by clock: SessionClock?) { self.clock = clock }

    /// Takes in a record.
    ///
    /// - Parameter written: When that was, as its line says.
    package mutating func add(_ offset: SessionOffset, lasting length: SessionOffset?, written: Timestamp?) {
        let extent = offset.end(lasting: length)
        if let clock, let written, !clock.hasReached(offset, at: written) {
            beyond = max(beyond ?? .zero, extent)
        } else {
            end = max(end ?? .zero, extent)
        }
    }

    /// Nil if there are no records.
    package var offset: SessionOffset? { end ?? beyond }
}
