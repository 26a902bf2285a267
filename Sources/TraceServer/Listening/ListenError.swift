internal import Glibc
internal import NIOCore
internal import TraceFiles
internal import TraceText

/// Why the HTTP API can't listen somewhere. The daemon continues, and tries again.
struct ListenError: StructuredError {
    let place: String
    let message: String
    let hint: String?

    init(_ place: Listener.Place, _ error: any Error) {
        self.place = place.text
        let errorNumber = (error as? IOError)?.errnoCode
        switch errorNumber {
        case EADDRINUSE:
            message = "another program listens there"
            hint = "stop it ('ss -ltnp' shows which one it is), or choose another address in http_listen"
        case EACCES:
            message = "permission denied"
            hint = "choose a port above 1023, or a directory that traced may write to"
        case EADDRNOTAVAIL:
            message = "this machine has no such address"
            hint = "'ip address' lists those that it has"
        case EAFNOSUPPORT:
            // The packaged unit allows Unix sockets alone.
            message = "the service may not open network sockets"
            hint =
                "remove it from http_listen, and run 'systemctl enable traced.socket && systemctl restart traced'"
        default:
            message = errorNumber.map { String(cString: strerror($0)) } ?? "\(error)"
            hint = nil
        }
    }

    /// A certificate or key that can't be used.
    init(_ unusable: Certificates.Unusable) {
        place = unusable.path.escaped
        message = unusable.message
        hint = unusable.hint
    }

    init(_ unusable: InheritedSockets.Unusable) {
        place = "file descriptor \(unusable.descriptor)"
        message = unusable.reason
        hint = nil
    }

    /// A socket that was handed over and that other machines reach, without anybody having said that their network is trusted.
    ///
    /// `http_listen` refuses such an address when the configuration is read; what is handed over is known only here.
    init(exposed socket: InheritedSockets.Socket) {
        place = socket.name
        message = "the socket is reached by other machines, and nothing is encrypted"
        hint =
            "set http_certificate and http_key, put a proxy that encrypts in front of ListenStream=127.0.0.1:8722 in traced.socket (docs/operations.md has both), or set http_plain_network to yes"
    }

    var report: ErrorReport {
        ErrorReport(code: "listen-failed", place: place, message: message, hint: hint)
    }
}
