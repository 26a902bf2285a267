import Testing

@testable import TraceServer

struct IPAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"),
        ("2001:DB8::A", "2001:db8::a"),
        ("::ffff:10.0.0.1", "10.0.0.1"), ("::FFFF:a00:1", "10.0.0.1"), ("255.255.255.255", "255.255.255.255"),
    ])
    func `an address is the same however it is written`(text: String, expected: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == expected)
        #expect(address == IPAddress(expected))
    }

    @Test(arguments: [
        "", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.1.", "127.0.0.01", "256.0.0.1",
        "1.2.3",
        "1.2.3.4.5", "[::1]", "::1%lo", "fe80::1%25eth0", ":::", "1::2::3", "127.0.0.1\u{0}.evil.example",
        " 127.0.0.1",
        "localhost", "12345::", "::1/128", "١.٢.٣.٤",
    ])
    func `anything else is none`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("10.0.0.1", false),
        ("::", false), ("::2", false), ("0.0.0.0", false), ("1::1", false),
    ])
    func `loopback is told from the rest`(text: String, isLoopback: Bool) {
        #expect(IPAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"), ("::ffff:10.0.0.1", "10.0.0.1"),
    ])
    func `attempts from one network of IPv6 are counted together`(text: String, key: String) {
        #expect(IPAddress(text)?.limitKey == key)
    }
}
