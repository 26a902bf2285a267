internal import Glibc

/// The address by which a device reaches the HTTP API, for links and QR codes.
package struct PairingAddress: Sendable, Hashable {
    /// Without a slash at its end; nil if the configuration names none.
    package let base: String?
    /// Whether only this machine can reach it.
    package let isLocal: Bool

    /// - Parameters:
    ///   - listen: Addresses as `http_listen` names them, `ADDRESS:PORT` or `unix:PATH`; the first counts that has a port, which 0 is
    ///     not: it stands for any that is free.
    ///   - publicURL: As `http_public_url` says; comes before the others.
    ///   - isEncrypted: Whether these addresses are served by TLS.
    package init(listen: [String], publicURL: String?, isEncrypted: Bool = false) {
        if let publicURL {
            base = String(publicURL.reversed().drop { $0 == "/" }.reversed())
            isLocal = false
            return
        }
        guard let first = listen.lazy.filter({ !$0.hasPrefix("unix:") }).compactMap(Self.parts).first else {
            base = nil
            isLocal = false
            return
        }
        isLocal = first.host == "localhost" || first.host.hasPrefix("127.") || first.host == "[::1]"
        // An address that stands for all of this machine's is none that others could call.
        let host = ["0.0.0.0", "[::]"].contains(first.host) ? Self.hostName : first.host
        base = "\(isEncrypted ? "https" : "http")://\(host):\(first.port)"
    }

    /// Host and port, which follows the last colon.
    private static func parts(_ address: String) -> (host: String, port: UInt16)? {
        guard let colon = address.lastIndex(of: ":"), colon > address.startIndex,
            let port = UInt16(address[address.index(after: colon)...]), port > 0
        else { return nil }
        return (String(address[..<colon]), port)
    }

    /// What this machine is called.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        // One byte less, so that a name that was cut off ends with NUL too.
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address of the page with something behind `#`, which no server and no log sees; nil without an address.
    package func withFragment(_ name: String, _ value: String) -> String? {
        base.map { "\($0)/#\(name)=\(value)" }
    }

    /// The address of the podcast feed of a token; nil without an address.
    package func feed(of secret: TokenSecret) -> String? {
        base.map { "\($0)/feeds/\(secret.text)/feed.xml" }
    }
}
