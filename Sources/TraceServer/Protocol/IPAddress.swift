internal import Glibc

/// An IP address, compared by value, not by its text.
///
/// An IPv4 address in the form of an IPv6 one (`::ffff:10.0.0.1`), as a socket for both has it, is the IPv4 address.
///
/// Source: RFC 4291, section 2.2; RFC 6943, section 3.1.
struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes.
    private let bytes: [UInt8]

    /// Reads `127.0.0.1` or `::1`; neither brackets, zones, ports nor the short forms of IPv4 (`127.1`).
    init?(_ text: some StringProtocol) {
        // No other byte is allowed; above all no NUL, at which C would stop.
        let isPlain = text.utf8.allSatisfy {
            $0.isDigit || (0x61...0x66).contains($0 | 0x20) || $0 == UInt8(ascii: ".")
                || $0 == UInt8(ascii: ":")
        }
        guard isPlain, text.utf8.count <= 45 else { return nil }
        let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
        var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        // Sound: inet_pton writes 4 or 16 bytes by the family, and there are as many.
        guard inet_pton(isVersion6 ? AF_INET6 : AF_INET, String(text), &bytes) == 1 else { return nil }
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = isVersion6 && bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }

    /// Whether it is `0.0.0.0` or `::`, which no peer has.
    var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether it is in 127.0.0.0/8 or is `::1`.
    var isLoopback: Bool {
        bytes.count == 4 ? bytes.first == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// The key by which attempts are counted: the address or, for IPv6, its /64 network, all of which one subscriber has.
    var limitKey: String {
        bytes.count == 4 ? description : "\(Self.text(bytes.prefix(8) + [UInt8](repeating: 0, count: 8)))/64"
    }

    /// In its usual form: RFC 5952 for IPv6.
    package var description: String { Self.text(bytes) }

    private static func text(_ bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // Sound: an address of 4 or 16 bytes, as the family says, and room for the longest text and its NUL.
        guard
            inet_ntop(
                bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil
        else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
