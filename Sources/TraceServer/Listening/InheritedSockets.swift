internal import Glibc
internal import Synchronization

/// The listening sockets that the service manager has opened for this process, `traced.socket`'s.
///
/// They are taken once: the variables are removed, so that no program started later takes them for its own.
///
/// Source: sd_listen_fds(3).
enum InheritedSockets {
    /// A socket that was handed over.
    struct Socket: Sendable, Hashable {
        let descriptor: Int32
        /// As getsockname(2) tells it: `127.0.0.1:8722`, `unix:/run/trace/http.sock`.
        let name: String
        /// Whether only processes of this machine can connect.
        let isLocal: Bool
    }

    /// Why a socket that was handed over can't be served.
    struct Unusable: Error {
        let descriptor: Int32
        let reason: String
    }

    /// The first descriptor, by convention.
    private static let first: Int32 = 3

    private static let taken = Mutex<Result<[Socket], Unusable>?>(nil)

    /// The sockets; the same at each call.
    ///
    /// - Throws: ``Unusable`` for a descriptor that is not a listening stream socket.
    static func take() throws(Unusable) -> [Socket] {
        try taken.withLock { known in
            if let known { return known }
            let result = Result { () throws(Unusable) in try read() }
            known = result
            return result
        }.get()
    }

    private static func read() throws(Unusable) -> [Socket] {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
        func number(_ name: String) -> Int32? { getenv(name).flatMap { Int32(String(cString: $0)) } }
        guard number("LISTEN_PID") == getpid(), let count = number("LISTEN_FDS"), (1...64).contains(count)
        else { return [] }
        var sockets: [Socket] = []
        for descriptor in first..<first + count {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            sockets.append(try socket(descriptor))
        }
        return sockets
    }

    private static func socket(_ descriptor: Int32) throws(Unusable) -> Socket {
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else {
            throw Unusable(
                descriptor: descriptor,
                reason: "it is not a listening stream socket; write ListenStream= in the socket unit")
        }
        guard let name = SocketName(of: descriptor) else {
            throw Unusable(
                descriptor: descriptor, reason: "it is neither an Internet socket nor a Unix socket")
        }
        return Socket(descriptor: descriptor, name: name.text, isLocal: name.isLocal)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}

/// What a listening socket is bound to.
struct SocketName {
    let text: String
    /// Whether it is a Unix socket, or an Internet socket on a loopback address.
    let isLocal: Bool

    /// - Returns: Nil for a socket of another family, or a descriptor that is not a socket.
    init?(of descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // Sound: the storage is as large as any address, and lives until the calls return.
        let found = withUnsafeMutablePointer(to: &storage) { pointer -> (text: String, isLocal: Bool)? in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                if Int32(address.pointee.sa_family) == AF_UNIX {
                    return address.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { unix in
                        let path = withUnsafeBytes(of: unix.pointee.sun_path) { bytes in
                            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                        }
                        return ("unix:\(path)", true)
                    }
                }
                guard [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family)) else { return nil }
                var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
                var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
                let flags = NI_NUMERICHOST | NI_NUMERICSERV
                guard
                    getnameinfo(
                        address, length, &host, socklen_t(host.count), &port, socklen_t(port.count), flags)
                        == 0
                else { return nil }
                let name = Self.text(host)
                return (
                    "\(name.contains(":") ? "[\(name)]" : name):\(Self.text(port))",
                    IPAddress(name)?.isLoopback ?? false
                )
            }
        }
        guard let found else { return nil }
        (text, isLocal) = found
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
