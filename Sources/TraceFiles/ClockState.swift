internal import Glibc

/// Whether a time service synchronizes the kernel's clock.
package enum ClockState {
    /// Whether a time service keeps it right, whichever; nil if the kernel does not tell.
    ///
    /// Source: adjtimex(2), which answers TIME_ERROR for a clock that nobody keeps.
    package static var isSynchronized: Bool? {
        guard let adjtimex = GNUCall.adjtimex else { return nil }
        // Sound: zeros are `modes` 0, which changes nothing, and the buffer is larger than `struct timex` (208 bytes).
        var buffer = [UInt64](repeating: 0, count: 64)
        let state = buffer.withUnsafeMutableBytes { bytes in bytes.baseAddress.map(adjtimex) ?? -1 }
        return state < 0 ? nil : state != timeError
    }

    private static let timeError: Int32 = 5
}
