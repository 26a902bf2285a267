internal import Glibc
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Where the HTTP API listens: an IP address with a port, or a socket in the file system.
package enum ListenAddress: Sendable, Hashable {
    /// An IPv4 or IPv6 address in digits, and a port; of port 0 the system chooses a free one.
    case network(address: String, port: UInt16)
    /// The path of a Unix socket, which is absolute.
    case unix(FilePath)

    /// Whether only processes of this machine can connect.
    var isLocal: Bool {
        switch self {
        case .unix: true
        case .network(let address, _): address == "::1" || address.hasPrefix("127.")
        }
    }

    /// As a configuration file has it.
    package var text: String {
        switch self {
        case .unix(let path): "unix:\(path.escaped)"
        case .network(let address, let port):
            address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
    }

    /// The longest path of a Unix socket, in bytes.
    ///
    /// Source: unix(7), `sun_path`, with the NUL byte at its end.
    static let longestSocketPath = 107

    /// An address and a port, `localhost` being 127.0.0.1; nil if the text is something else.
    init?(network text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            var address = in6_addr()
            guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
            self = .network(address: host.lowercased(), port: port)
            return
        }
        if host == "localhost" { host = "127.0.0.1" }
        var address = in_addr()
        guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
        self = .network(address: host, port: port)
    }
}

extension SettingType<[ListenAddress]> {
    /// A list of addresses, of which the first of equals is kept.
    static var listenAddresses: SettingType {
        SettingType(
            label: { "list of `ADDRESS:PORT` and `unix:PATH`" }, isList: true, separator: ",",
            read: { (input) throws(SettingProblem) in
                try input.list { (text) throws(SettingProblem) in try readListenAddress(text, input) }
            }, texts: { $0.map(\.text) })
    }

    private static func readListenAddress(
        _ text: [UInt8], _ input: SettingInput
    ) throws(SettingProblem) -> ListenAddress {
        let prefix = Array("unix:".utf8)
        if text.starts(with: prefix) {
            let path = try readPath(
                Array(text.dropFirst(prefix.count)), from: input.baseDirectory, home: input.home)
            guard path.bytes.count <= ListenAddress.longestSocketPath else {
                throw SettingProblem(
                    .outOfRange, "\(quoted(text)) is too long for a socket",
                    cure: "use a path of at most \(ListenAddress.longestSocketPath) bytes")
            }
            return .unix(path)
        }
        guard let address = String(validating: text, as: UTF8.self).flatMap(ListenAddress.init(network:))
        else {
            throw SettingProblem(
                .invalidValue, "\(quoted(text)) is not an address to listen on",
                cure: "write it like 127.0.0.1:8722, [::1]:8722 or unix:/run/trace/http.sock")
        }
        return address
    }
}
