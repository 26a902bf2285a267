internal import HTTPTypes
internal import TraceServer
import TraceText

/// Cookies and tokens.
struct CookieFuzzing {
    private let lines: [String]

    init(_ input: [UInt8]) { lines = input.lines }

    func check() throws {
        for isSecure in [true, false] {
            let cookie = AccessCookie(isSecure: isSecure)
            switch Cookies(lines).lookup(cookie.name) {
            case .value(let value):
                try require(lines.contains { $0.contains(cookie.name) }, "a cookie that was not sent")
                try requireSame(value, cookie)
            case .absent, .ambiguous, .malformed: break
            }
            try requireAnswer(cookie)
        }
        for line in lines {
            guard let setting = AccessCookie(isSecure: true).setting(line) else { continue }
            try require(
                setting.utf8.allSatisfy { (0x20...0x7E).contains($0) }
                    && setting.split(separator: ";").count == 6,
                "'Set-Cookie' is split: \(setting)")
        }
    }

    /// What is read can be set, and is read again.
    private func requireSame(_ value: String, _ cookie: AccessCookie) throws {
        guard !value.isEmpty else { return }
        let pair = cookie.setting(value)?.prefix { $0 != ";" }
        try require(pair != nil, "a value that can't be set: \(value)")
        let again = Cookies([String(pair ?? "")]).lookup(cookie.name)
        try require(again == .value(value), "set and read again, \(value) is \(again)")
    }

    private func requireAnswer(_ cookie: AccessCookie) throws {
        var fields = HTTPFields()
        for line in lines.prefix(64) {
            let name: HTTPField.Name = line.utf8.first.map { $0 & 1 == 0 } ?? true ? .cookie : .authorization
            fields.append(
                HTTPField(name: name, value: String(decoding: line.utf8.dropFirst(), as: UTF8.self)))
        }
        let found: Authorization?
        do throws(ProtocolError) {
            found = try Authorization.presented(in: fields, cookie: cookie)
        } catch {
            return try require(error.code.meaning.http == 401, "refused with \(error)")
        }
        guard let found else {
            return try require(!fields.contains(.authorization), "'Authorization' is not seen")
        }
        try require(!found.token.isEmpty, "a token of nothing")
        try require(found.isFromCookie != fields.contains(.authorization), "the cookie wins")
    }
}
