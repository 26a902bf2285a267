internal import RecordFormat

/// What `--offset-min` and `--offset-max` name.
enum OffsetRange {
    /// What is between the two offsets that were typed, both of them included; from the start and to the end where nothing was.
    ///
    /// - Parameter read: The offset that a text means.
    /// - Throws: ``CommandFailure`` with `.usage` if the first is after the second; what `read` throws.
    static func typed(
        from lower: String?, upTo upper: String?, _ read: (String) throws -> SessionOffset
    ) throws -> ClosedRange<SessionOffset> {
        let lower = try lower.map(read) ?? .zero
        let upper = try upper.map(read) ?? SessionOffset(milliseconds: .max)
        guard lower <= upper else {
            throw CommandFailure(
                .usage, "--offset-min \(lower) is after --offset-max \(upper)", hint: "exchange the two")
        }
        return lower...upper
    }
}
