package import RecordFormat

/// How a game's scores are spread over time.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct ScoreTimeline: Sendable {
    package let scores: Int
    /// At least 1.
    package let activeSessions: Int
    package let longGaps: Int
    /// Whole days.
    package let longestGapDays: Int

    /// How many whole days without a score are a long gap.
    static let longGap = 14

    /// - Parameter times: Milliseconds since 1970, in any order.
    package init(_ times: some Sequence<Double>, mode: GapMode, zone: ZoneRules) {
        let moments = times.sorted().map { Timestamp(flooring: $0) }
        let gaps = zip(moments, moments.dropFirst()).map { zone.wholeDays(from: $0, to: $1) }
        scores = moments.count
        longGaps = gaps.count { $0 >= Self.longGap }
        longestGapDays = gaps.max() ?? 0
        switch mode {
        case .realTimeline, .brokenAxis: activeSessions = max(1, scores)
        case .compressInactive, .activeSessionsOnly: activeSessions = max(1, scores - longGaps)
        }
    }
}
