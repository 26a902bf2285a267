internal import Glibc
internal import SystemPackage
internal import TraceText

/// Tells the service manager how the daemon is doing; does nothing where there is none.
///
/// Source: sd_notify(3), "Standalone Implementations"; sd_watchdog_enabled(3).
struct ServiceNotifier: Sendable {
    private let socketPath: [UInt8]?
    /// How often the manager wants to hear that all is well, or nil if it does not.
    let watchdogTimeout: Duration?

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
    init() {
        socketPath = getenv("NOTIFY_SOCKET").map { value in
            // Sound: getenv's text ends with NUL, and nobody changes the environment of this process.
            Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
        }
        let number = { (name: String) in getenv(name).flatMap { Int64(String(cString: $0)) } }
        let isMeant = number("WATCHDOG_PID").map { $0 == Int64(getpid()) } ?? true
        watchdogTimeout = number("WATCHDOG_USEC").flatMap {
            isMeant && $0 > 0 ? .microseconds($0) : nil
        }
    }

    /// Whether somebody listens.
    var isEnabled: Bool { socketPath != nil }

    /// The watch is armed and the first reconcile is done; ends a reload too.
    func ready(status: String) { send("READY=1\nSTATUS=\(status.visibleLine)", isVital: true) }

    func status(_ text: String) { send("STATUS=\(text.visibleLine)") }

    func stopping() { send("STOPPING=1\nSTATUS=stopping", isVital: true) }

    /// The configuration is read again; ``ready(status:)`` follows, whatever results from it, at once or with the first scan.
    func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        send(
            "RELOADING=1\nMONOTONIC_USEC=\(microseconds)\nSTATUS=reading the configuration again",
            isVital: true)
    }

    /// A self-check has found everything alive.
    func watchdog() { send("WATCHDOG=1") }

    /// The start takes longer, but not longer than this from now on without another word.
    func extendStart(by time: Duration, status: String) {
        send("EXTEND_TIMEOUT_USEC=\(Int64(time / .microseconds(1)))\nSTATUS=\(status.visibleLine)")
    }

    /// - Parameter isVital: Whether to wait for a manager that does not read its socket; the rest comes again.
    private func send(_ message: String, isVital: Bool = false) {
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
        let flags = Int32(MSG_NOSIGNAL) | (isVital ? 0 : Int32(MSG_DONTWAIT))
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, bytes, bytes.count, flags, address, length)
            }
        }
    }
}
