package import Foundation
internal import Glibc
internal import TestSupport

/// A connection to the HTTP API that sends exactly the bytes that a test gives it, and reads an answer as RFC 9112 has it.
package final class WireClient {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    package init(port: Int) throws {
        descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try connect(&address, sa_family_t(AF_INET))
    }

    /// Connects to a Unix socket.
    package init(unix path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try connect(&address, sa_family_t(AF_UNIX))
    }

    private func connect<Address>(_ address: inout Address, _ family: sa_family_t) throws {
        var limit = timeval(tv_sec: Int(waitLimit.components.seconds), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        let length = socklen_t(MemoryLayout<Address>.size)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, length) == 0
            }
        }
        guard isConnected else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { Glibc.close(descriptor) }

    /// Sends these bytes as they are.
    package func send(_ bytes: some Sequence<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more is sent.
    package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Has the connection reset instead of ended when this goes.
    package func resetWhenClosed() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends a request and reads its answer.
    ///
    /// - Parameter fields: `Host` is added if it is not among them, `Content-Length` if there is a body.
    package func request(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: Data? = nil
    ) throws -> WireAnswer {
        var all = fields
        func has(_ name: String) -> Bool { all.contains { $0.0.lowercased() == name } }
        if !has("host") { all.insert(("Host", "localhost"), at: 0) }
        if let body, !has("content-length"), !has("transfer-encoding") {
            all.append(("Content-Length", "\(body.count)"))
        }
        let head = "\(method) \(target) HTTP/1.1\r\n" + all.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
        try send(Array(head.utf8) + (body ?? Data()))
        return try answer(isHead: method == "HEAD")
    }

    /// Reads the next answer.
    ///
    /// - Throws: ``ConnectionClosed`` if the connection ends before it is whole.
    package func answer(isHead: Bool = false) throws -> WireAnswer {
        var answer = try head()
        while answer.status == 100 { answer = try head() }
        if isHead || answer.status == 204 || answer.status == 304 { return answer }
        if answer["content-type"] == "text/event-stream" {
            // It has no end.
            answer.body = try chunk() ?? Data()
            return answer
        }
        if answer["transfer-encoding"] == "chunked" {
            while let piece = try chunk() { answer.body += piece }
            return answer
        }
        if let length = answer["content-length"].flatMap({ Int($0) }) {
            answer.body = try take(length)
        } else {
            answer.body = try rest()
        }
        return answer
    }

    /// The next chunk of a body that comes in chunks; nil at its end.
    package func chunk() throws -> Data? {
        let size = Int(try line().prefix { $0 != ";" }, radix: 16) ?? 0
        let piece = try take(size)
        _ = try line()
        return size == 0 ? nil : piece
    }

    /// What comes until the other side closes the connection.
    package func rest() throws -> Data {
        while try fill() {}
        defer { received = [] }
        return Data(received)
    }

    /// Waits until the other side has closed the connection; what comes before that is thrown away.
    package func waitForClose() throws { _ = try rest() }

    /// Reads the head of the next answer; its body is still to be taken.
    package func head() throws -> WireAnswer {
        let status = try line().split(separator: " ", maxSplits: 2)
        guard status.count >= 2, let code = Int(status[1]) else { throw ConnectionClosed(after: "\(status)") }
        var fields: [(String, String)] = []
        while true {
            let line = try line()
            if line.isEmpty { return WireAnswer(status: code, fields: fields, body: Data()) }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            fields.append(
                (
                    parts[0].lowercased(),
                    parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
                ))
        }
    }

    private func line() throws -> String {
        while true {
            if let end = received.firstIndex(of: 0x0A) {
                var line = received[..<end]
                if line.last == 0x0D { line = line.dropLast() }
                let text = String(decoding: line, as: UTF8.self)
                received.removeFirst(end + 1)
                return text
            }
            guard try fill() else { throw ConnectionClosed(after: String(decoding: received, as: UTF8.self)) }
        }
    }

    /// So many bytes of a body.
    package func take(_ count: Int) throws -> Data {
        while received.count < count {
            guard try fill() else { throw ConnectionClosed(after: "\(received.count) of \(count) bytes") }
        }
        defer { received.removeFirst(count) }
        return Data(received.prefix(count))
    }

    /// - Returns: False once the other side has closed the connection.
    private func fill() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            received += buffer.prefix(count)
            return true
        }
        if count == 0 || errno == ECONNRESET { return false }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}

/// The connection ended in the middle of an answer.
package struct ConnectionClosed: Error {
    /// What had come.
    package let after: String
}

/// An answer as it came.
package struct WireAnswer: CustomStringConvertible {
    package let status: Int
    /// The names in lower case, in the order in which they came.
    package let fields: [(String, String)]
    package fileprivate(set) var body: Data
    /// Whether an answer before it, to the same request, was that it waits for who is at the journal.
    package var hasWaited = false

    /// The value of a field; nil if there is none.
    package subscript(name: String) -> String? { fields.first { $0.0 == name }?.1 }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON; nil if it is not JSON.
    package var json: Any? { try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed) }

    /// The body as a JSON object; empty if it is another value.
    package var object: [String: Any] { json as? [String: Any] ?? [:] }

    /// The body may be a recording, of which no more is decoded than is shown.
    package var description: String {
        "\(status) \(fields) \(String(decoding: body.prefix(2000), as: UTF8.self))"
    }
}
