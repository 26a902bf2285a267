#if canImport(Glibc)
import Glibc
#endif

/// The bytes of a line, to look it up by and to order it.
///
/// Hashes and compares them in one go; an array slice would hand them to the hasher one by one, which for a
/// file of a million lines is most of the time that a merge takes.
struct LineText: Hashable, Comparable, Sendable {
    let bytes: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    static func == (left: LineText, right: LineText) -> Bool {
        left.bytes.count == right.bytes.count && compare(left, right, left.bytes.count) == 0
    }

    /// By the values of the bytes, a beginning before what it begins.
    static func < (left: LineText, right: LineText) -> Bool {
        let order = compare(left, right, min(left.bytes.count, right.bytes.count))
        return order == 0 ? left.bytes.count < right.bytes.count : order < 0
    }

    /// Sound: both slices lend their bytes for the length of the call, and have at least `count` of them.
    private static func compare(_ left: LineText, _ right: LineText, _ count: Int) -> Int32 {
        left.bytes.withUnsafeBytes { one in
            right.bytes.withUnsafeBytes { two in
                guard let one = one.baseAddress, let two = two.baseAddress else { return 0 }
                return memcmp(one, two, count)
            }
        }
    }
}
