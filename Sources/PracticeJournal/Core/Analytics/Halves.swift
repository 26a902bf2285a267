/// The means of the earlier and of the later half of some values, which tell a trend; the earlier half is the smaller one.
///
/// Source: docs/spec/practice.md#mechanics.
struct Halves {
    let earlier: Double
    let later: Double

    /// Nil for less than two values.
    ///
    /// - Parameter values: Oldest first.
    init?(_ values: [Double]) {
        let half = max(1, values.count / 2)
        guard values.count > 1, let earlier = Self.mean(values[..<half]),
            let later = Self.mean(values[half...])
        else { return nil }
        self.earlier = earlier
        self.later = later
    }

    /// Nil without values.
    static func mean(_ values: ArraySlice<Double>) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
