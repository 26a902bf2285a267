public import RecordFormat

/// The clock of a session: which moment an offset stands for, and the other way round.
///
/// It runs from `start_time` at the speed of the wall clock and stands still while the recording is paused. A pause is a
/// `media_end` and a `media_start` in the timeline at one offset, with two wall times. Nothing else moves the clock, and
/// nothing in a timeline can break it: both directions are monotone, and what lies beyond the range of 64 bits is cut off
/// there.
///
/// Source: docs/spec/format.md#the-sessions-clock.
public struct SessionClock: Sendable, Hashable {
    /// The moment of offset 0.
    public let start: Timestamp
    /// The pauses that are over, in the order of their offsets, one an offset.
    public let pauses: [Pause]
    /// Where the clock stands, if a pause lasts.
    public let pausedAt: SessionOffset?

    /// An interval in which the clock is stopped.
    public struct Pause: Sendable, Hashable {
        /// Where the clock stands meanwhile.
        public let offset: SessionOffset
        /// How long that lasts, in milliseconds, > 0.
        public let length: Int64

        /// A pause of so many milliseconds.
        public init(offset: SessionOffset, length: Int64) {
            self.offset = offset
            self.length = length
        }
    }

    /// A clock with these pauses, in any order; those at one offset add up.
    ///
    /// - Parameter pausedAt: Where the clock stands, if a pause lasts.
    public init(start: Timestamp, pauses: [Pause] = [], pausedAt: SessionOffset? = nil) {
        self.start = start
        self.pausedAt = pausedAt
        self.pauses = pauses.filter { $0.length > 0 }.sorted { $0.offset < $1.offset }.reduce(into: []) {
            sum, pause in
            guard let last = sum.last, last.offset == pause.offset else { return sum.append(pause) }
            sum[sum.count - 1] = Pause(
                offset: last.offset, length: last.length.addingClamped(pause.length))
        }
    }

    /// The moment at which an offset is reached. If a pause is there, that is the pause's beginning.
    ///
    /// - Complexity: O(pauses).
    public func wall(at offset: SessionOffset) -> Timestamp {
        start.adding(offset).adding(SessionOffset(milliseconds: pausedTime(before: offset)))
    }

    /// The moment at which the clock continues behind an offset: the end of the pause there, else as ``wall(at:)``.
    public func wall(resumingAt offset: SessionOffset) -> Timestamp {
        let pause = pauses.first { $0.offset == offset }?.length ?? 0
        return wall(at: offset).adding(SessionOffset(milliseconds: pause))
    }

    /// Where the clock is at a moment; negative before the session's start.
    ///
    /// - Complexity: O(pauses).
    public func offset(at moment: Timestamp) -> SessionOffset {
        var elapsed = SessionOffset(milliseconds: moment.milliseconds(since: start))
        for pause in pauses where elapsed > pause.offset {
            elapsed = max(pause.offset, elapsed.subtracting(SessionOffset(milliseconds: pause.length)))
        }
        return pausedAt.map { min($0, elapsed) } ?? elapsed
    }

    /// Whether the clock had come to an offset by a moment, or was less than a minute from it: clocks of devices differ.
    package func hasReached(_ offset: SessionOffset, at moment: Timestamp) -> Bool {
        self.offset(at: moment).adding(SessionOffset(milliseconds: 60_000)) >= offset
    }

    /// The offsets whose moments are within a range; nil if there are none.
    public func offsets(within moments: ClosedRange<Timestamp>) -> ClosedRange<SessionOffset>? {
        var lower = offset(at: moments.lowerBound)
        // In a pause, the moment of its offset is over.
        if wall(at: lower) < moments.lowerBound {
            guard let next = lower.next else { return nil }
            lower = next
        }
        let upper = offset(at: moments.upperBound)
        return lower <= upper ? lower...upper : nil
    }

    /// How long the clock has stood still before it reaches an offset, in milliseconds.
    public func pausedTime(before offset: SessionOffset) -> Int64 {
        pauses.prefix { $0.offset < offset }.reduce(0) { $0.addingClamped($1.length) }
    }
}

/// Finds the pauses in the lines of a timeline; add them in file order.
///
/// A pause is noted when it happens, so the `created_at` of its lines is their `wall_time`. The `wall_time` of media that were
/// added is computed, and their `created_at` is later: such lines are skipped, as is everything else. Of several lines of one
/// id the last counts.
///
/// - Complexity: Memory for the lines of pauses alone.
package struct PauseReader: Sendable {
    /// The first or last moment of a pause.
    private struct Edge {
        let isBeginning: Bool
        let offset: SessionOffset
        let wallTime: Timestamp
    }

    /// Nil if a later line of the id took its place.
    private var edges: [Edge?] = []
    private var places: [ULID: Int] = [:]

    package init() {}

    package init(_ timeline: [RecordSummary]) {
        for entry in timeline { add(entry) }
    }

    package mutating func add(_ entry: RecordSummary) {
        if let id = entry.id, let place = places.removeValue(forKey: id) { edges[place] = nil }
        guard let edge = Self.edge(entry) else { return }
        if let id = entry.id { places[id] = edges.count }
        edges.append(edge)
    }

    private static func edge(_ entry: RecordSummary) -> Edge? {
        guard entry.isPauseEdge, let offset = entry.offset, let wallTime = entry.wallTime else { return nil }
        let isBeginning = entry.detail == TimelineEntry.Kind.mediaEnd.rawValue
        return Edge(isBeginning: isBeginning, offset: offset, wallTime: wallTime)
    }

    /// The pauses that are over, in file order: an end right behind a beginning, at the same offset and later.
    package var pauses: [SessionClock.Pause] {
        let edges = edges.compactMap(\.self)
        return zip(edges, edges.dropFirst()).compactMap { begin, end in
            guard begin.isBeginning, !end.isBeginning, begin.offset == end.offset,
                begin.wallTime < end.wallTime
            else { return nil }
            return SessionClock.Pause(
                offset: begin.offset, length: end.wallTime.milliseconds(since: begin.wallTime))
        }
    }

    /// Where a pause begins that has no end yet.
    package var lastingPause: SessionOffset? {
        guard let last = edges.last(where: { $0 != nil }) ?? nil, last.isBeginning else { return nil }
        return last.offset
    }

    /// The clock of a session with these pauses; nil without a `start_time`. A pause without an end lasts only while the
    /// session is active.
    package func clock(of session: Session) -> SessionClock? {
        session.startTime.map { start in
            SessionClock(
                start: start, pauses: pauses, pausedAt: session.status == .active ? lastingPause : nil)
        }
    }
}

extension RecordSummary {
    /// Whether the line is one of those that make up a pause.
    package var isPauseEdge: Bool {
        guard kind == .timeline, let wallTime, createdAt == wallTime else { return false }
        return detail == TimelineEntry.Kind.mediaEnd.rawValue
            || detail == TimelineEntry.Kind.mediaStart.rawValue
    }
}
