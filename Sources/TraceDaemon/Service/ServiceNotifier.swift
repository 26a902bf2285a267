internal import Glibc
internal import SystemPackage

/// Tells the service manager how the daemon is doing; does nothing where there is none.
///
/// Source: sd_notify(3), "Standalone Implementations".
struct ServiceNotifier: Sendable {
    private let socketPath: [UInt8]?

    /// - Parameter environment: The value of `NOTIFY_SOCKET`, or nil.
    init(socket path: [UInt8]? = ServiceNotifier.environmentSocket()) { socketPath = path }

    static func environmentSocket() -> [UInt8]? {
        guard let value = getenv("NOTIFY_SOCKET") else { return nil }
        return Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// The watch is armed and the first reconcile is done.
    func ready(status: String) { send("READY=1\nSTATUS=\(status)") }

    func status(_ text: String) { send("STATUS=\(text)") }

    func stopping() { send("STOPPING=1") }

    private func send(_ message: String) {
        guard var path = socketPath, path.count > 1 else { return }
        // '@' stands for the NUL byte of the abstract namespace (unix(7)).
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        var address = sockaddr_un()
        guard path.count <= MemoryLayout.size(ofValue: address.sun_path) else { return }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { _ = close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let bytes = Array(message.utf8)
        // Sound: the address lives until the call returns, and `length` covers the family and the path's own bytes.
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }
}
