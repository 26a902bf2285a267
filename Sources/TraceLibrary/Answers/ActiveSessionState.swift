package import RecordFormat
internal import TraceFiles
internal import TraceFormat
package import TraceIndex
internal import TraceStore

/// What a person wants to know of a session that is being recorded: where its clock is, and what was marked last.
package struct ActiveSessionState: Sendable {
    /// Where the clock is; nil if nothing tells.
    package let offset: SessionOffset?
    /// Whether it stands.
    package let isPaused: Bool
    /// The marker whose line was written last, with its place and its label; nil if there is none, or it can't be read.
    package let lastMarker: (offset: SessionOffset, label: String?)?

    /// Looks into the session's files.
    ///
    /// - Complexity: O(size of the timeline and the markers).
    package init(_ session: IndexedSession, now: Timestamp) {
        let target = try? SessionTarget(reading: session.path)
        let clock = target.flatMap { try? SessionReader($0.directory).clock(of: $0.session) } ?? nil
        isPaused = clock?.pausedAt != nil
        offset = clock.map { max(.zero, $0.pausedAt ?? $0.offset(at: now)) }
        let last = target.flatMap { try? OffsetResolution.lastMarker(in: $0) } ?? nil
        lastMarker = last.map { ($0.offset, $0.label) }
    }
}
