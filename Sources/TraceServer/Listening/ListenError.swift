internal import Glibc
internal import NIOCore
internal import TraceFiles
internal import TraceText

/// Why the HTTP API can't listen somewhere, or lacks something of what it serves. The daemon continues, and tries again.
struct ListenError: StructuredError {
    private var code = "listen-failed"
    let place: String
    let message: String
    let cure: Cure?

    init(_ place: Listener.Place, _ error: any Error) {
        self.place = place.text
        let errorNumber = (error as? IOError)?.errnoCode
        switch errorNumber {
        case EADDRINUSE:
            message = "another program listens there"
            cure = "stop it ('ss -ltnp' shows which one it is), or choose another address in http_listen"
        case EACCES:
            message = "permission denied"
            cure = "choose a port above 1023, or a directory that traced may write to"
        case EADDRNOTAVAIL:
            message = "this machine has no such address"
            cure = "'ip address' lists those that it has"
        case EAFNOSUPPORT:
            // The packaged unit allows Unix sockets alone.
            message = "the service may not open network sockets"
            cure =
                "remove it from http_listen, and run 'systemctl enable traced.socket && systemctl restart traced'"
        default:
            message = errorNumber.map { String(cString: strerror($0)) } ?? "\(error)"
            cure = nil
        }
    }

    /// A certificate or key that can't be used.
    init(_ unusable: Certificates.Unusable) {
        place = unusable.path.escaped
        message = unusable.message
        cure = unusable.cure
    }

    init(_ unusable: InheritedSockets.Unusable) {
        place = "file descriptor \(unusable.descriptor)"
        message = unusable.reason
        cure = nil
    }

    /// A socket that was handed over and that other machines reach, without anybody having said that their network is trusted.
    ///
    /// `http_listen` refuses such an address when the configuration is read; what is handed over is known only here.
    init(exposed socket: InheritedSockets.Socket) {
        place = socket.name
        message = "the socket is reached by other machines, and nothing is encrypted"
        cure =
            "set http_certificate and http_key, put a proxy that encrypts in front of ListenStream=127.0.0.1:8722 in traced.socket (docs/operations.md has both), or set http_plain_network to yes"
    }

    private init(_ code: String, _ place: String, _ message: String, cure: Cure) {
        self.code = code
        self.place = place
        self.message = message
        self.cure = cure
    }

    /// That the files of the web page were not found. The API works without them.
    static let pageMissing = ListenError(
        "page-missing", "share/trace/page", "the web page is not installed",
        cure:
            "install it below the prefix that 'bin/traced' is in ('make install' does); the API works without it"
    )

    var report: ErrorReport {
        ErrorReport(code: code, place: place, message: message, cure: cure)
    }

    var meaning: ErrorMeaning { .failure }
}
