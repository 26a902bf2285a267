package import RecordFormat
package import TraceFiles

extension SystemTime {
    /// The same in whole milliseconds, rounded down; the nearest moment that milliseconds of 64 bits can name where it is
    /// beyond.
    package var timestamp: Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return Timestamp(milliseconds: seconds < 0 ? .min : .max) }
        return Timestamp(milliseconds: product.addingClamped(nanoseconds / 1_000_000))
    }
}
