import Glibc
import ProgramHarness
import Testing

/// What stands between a device and the server, and does harm to one exchange at a time.
final class BadNetwork {
    enum Harm: CaseIterable {
        /// The server gets the request whole, and the connection is reset before a byte of the answer.
        case cutBeforeAnswer
        /// The same in the middle of the answer.
        case cutWithinAnswer
        /// The connection is reset in the middle of the request.
        case cutWithinRequest
        /// A proxy does not reach the server.
        case badGateway
        /// A proxy has passed the request on, and has not waited for the answer.
        case gatewayTimeout
        /// A captive portal answers anything with its own page, and 200.
        case portalPage
        /// Another one sends everybody to its page.
        case portalRedirect
        case none
    }

    let port: Int
    private let server: Int
    private let listener: Int32
    /// Whether an answer of the server was that something waits for who is at its journal, be it one that the device has not got.
    private(set) var hasWaited = false

    /// - Parameter server: The port that the server listens on.
    init(to server: Int) throws {
        self.server = server
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        try #require(isListening)
    }

    deinit { close(listener) }

    /// Sends a request through it over a connection of its own.
    ///
    /// - Parameter request: The bytes of one that asks for the connection's end. They have room in the kernel, so that the device need
    ///   not be another thread.
    /// - Returns: What the device gets for an answer; nil if that is none.
    func send(_ request: [UInt8], _ harm: Harm) throws -> WireAnswer? {
        let device = try WireClient(port: port)
        try device.send(request)
        try exchange(request, harm)
        return try? device.answer()
    }

    private func exchange(_ request: [UInt8], _ harm: Harm) throws {
        let connection = accept(listener, nil, nil)
        try #require(connection >= 0)
        // The connection is reset if something is left unread, or if it is to be.
        defer { close(connection) }
        var left = request.count
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while left > 0 {
            let count = recv(connection, &buffer, min(left, buffer.count), 0)
            try #require(count > 0)
            left -= count
        }
        let answer = try answer(to: request, harm)
        var sent = 0
        while sent < answer.count {
            let count = answer[sent...].withUnsafeBytes {
                Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            try #require(count > 0)
            sent += count
        }
        guard [.cutBeforeAnswer, .cutWithinAnswer, .cutWithinRequest].contains(harm) else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// The bytes that the device gets.
    private func answer(to request: [UInt8], _ harm: Harm) throws -> [UInt8] {
        func passedOn() throws -> [UInt8] {
            let upstream = try WireClient(port: server)
            try upstream.send(request)
            let answer = try Array(upstream.rest())
            hasWaited = hasWaited || String(decoding: answer, as: UTF8.self).contains(WireAnswer.lockReason)
            return answer
        }
        func page(_ status: String, _ html: String, _ field: String = "") -> [UInt8] {
            let fields = "Content-Type: text/html\r\nContent-Length: \(html.utf8.count)\r\n\(field)"
            return Array("HTTP/1.1 \(status)\r\n\(fields)Connection: close\r\n\r\n\(html)".utf8)
        }
        switch harm {
        case .none: return try passedOn()
        case .cutBeforeAnswer:
            _ = try passedOn()
            return []
        case .cutWithinAnswer: return try passedOn().dropLast(10)
        case .cutWithinRequest:
            let upstream = try WireClient(port: server)
            try upstream.send(request.dropLast(5))
            upstream.finishSending()
            _ = try upstream.rest()
            return []
        case .badGateway: return page("502 Bad Gateway", "<h1>502 Bad Gateway</h1>")
        case .gatewayTimeout:
            _ = try passedOn()
            return page("504 Gateway Time-out", "<h1>504 Gateway Time-out</h1>")
        case .portalPage: return page("200 OK", "<!doctype html><title>Welcome to our Wi-Fi</title>")
        case .portalRedirect: return page("302 Found", "", "Location: http://127.0.0.1:\(port)/welcome\r\n")
        }
    }
}
