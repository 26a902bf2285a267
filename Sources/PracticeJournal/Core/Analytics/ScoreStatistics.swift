/// What a game's scores say.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct ScoreStatistics: Sendable {
    package let count: Int
    package let average: Double
    package let median: Double
    /// The lowest.
    package let floor: Double
    package let lowerQuartile: Double
    package let upperQuartile: Double

    /// From here on scores differ so much that luck decides.
    static let highSpread = 0.6

    /// Nil without scores.
    ///
    /// - Parameter scores: Those beyond what a game can count, as a document may have them, count as the nearest that one can.
    package init?(_ scores: some Sequence<Double>) {
        let sorted = scores.map { min(max($0, -ScoreText.limit), ScoreText.limit) }.sorted()
        guard let lowest = sorted.first else { return nil }
        count = sorted.count
        average = sorted.reduce(0, +) / Double(sorted.count)
        median = Self.percentile(0.5, of: sorted)
        floor = lowest
        lowerQuartile = Self.percentile(0.25, of: sorted)
        upperQuartile = Self.percentile(0.75, of: sorted)
    }

    /// By linear interpolation at p·(n−1).
    private static func percentile(_ part: Double, of sorted: [Double]) -> Double {
        let position = part * Double(sorted.count - 1)
        let lower = Int(position.rounded(.down))
        let upper = min(lower + 1, sorted.count - 1)
        return sorted[lower] + (sorted[upper] - sorted[lower]) * (position - Double(lower))
    }

    /// How far the upper quartile is from the lowest score, in medians; 0 where the median is not above 0.
    package var spread: Double { median > 0 ? (upperQuartile - floor) / median : 0 }

    /// Whether the scores differ a lot.
    var isHighRisk: Bool { spread >= Self.highSpread }

    package var consistency: String { isHighRisk ? "High Risk" : "Stable" }
}
