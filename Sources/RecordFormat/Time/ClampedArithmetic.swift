/// Arithmetic on numbers that came from outside, such as offsets and lengths in a file: where the result lies beyond what
/// 64 bits can say, it is the nearest number that they can.
extension Int64 {
    /// The sum.
    package func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference.
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
