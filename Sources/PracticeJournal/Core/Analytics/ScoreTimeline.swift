internal import RecordFormat

/// How a game's scores are spread over time.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct ScoreTimeline: Sendable {
    package let scores: Int
    /// At least 1.
    package let activeSessions: Int
    package var longGaps: Int { gaps.count }
    /// The long ones, oldest first.
    package let gaps: [Gap]
    /// Whole days.
    package let longestGapDays: Int

    /// A time without a score between two of them.
    package struct Gap: Sendable, Equatable {
        /// When the score before it was played, in milliseconds since 1970; as the other.
        let from: Double
        package let to: Double
        package let days: Int
    }

    /// How many whole days without a score are a long gap.
    static let longGap = 14

    /// - Parameter times: Milliseconds since 1970, in any order.
    init(_ times: some Sequence<Double>, mode: GapMode, zone: ZoneRules) {
        let times = times.sorted()
        let all = zip(times, times.dropFirst()).map { from, to in
            let (first, second) = (Timestamp(flooring: from), Timestamp(flooring: to))
            return Gap(from: from, to: to, days: zone.wholeDays(from: first, to: second))
        }
        scores = times.count
        gaps = all.filter { $0.days >= Self.longGap }
        longestGapDays = all.map(\.days).max() ?? 0
        switch mode {
        case .realTimeline, .brokenAxis: activeSessions = max(1, scores)
        case .compressInactive, .activeSessionsOnly: activeSessions = max(1, scores - gaps.count)
        }
    }
}
