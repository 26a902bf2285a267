internal import HTTPTypes
internal import TraceServer
import TraceText

/// The target of a request: path and query.
struct TargetFuzzing {
    private let input: [UInt8]

    init(_ input: [UInt8]) { self.input = input }

    func check() throws {
        let methods: [HTTPRequest.Method] = [.get, .options, .connect, .put]
        let method = methods[Int(input.byte(0)) % methods.count]
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        let target: RequestTarget
        do throws(ProtocolError) {
            target = try RequestTarget(text, method: method)
        } catch {
            return try require(
                [400, 414].contains(error.code.meaning.http) && error.cure?.text != nil,
                "refused with \(error)")
        }
        try require(
            text == "*" ? method == .options && target.segments.isEmpty : target.path.hasPrefix("/"),
            "a target that is not a path")
        for segment in target.segments {
            let bytes = segment.bytes
            try require(
                !bytes.isEmpty && bytes != [0x2E] && bytes != [0x2E, 0x2E]
                    && !bytes.contains { $0 == 0 || $0 == 0x2F || $0 == 0x5C },
                "a segment that leads elsewhere: \(bytes)")
            try require(segment.text.map { Array($0.utf8) } ?? bytes == bytes, "text of other bytes")
        }
        if text != "*" { try requireSame(target, method) }
        for item in target.query.items {
            try require(!item.name.utf8.contains(0) && !item.value.utf8.contains(0), "a NUL in a parameter")
            try require(
                target.query.values(of: item.name).contains(item.value), "a parameter that is not found")
        }
    }

    /// Written again with an escape for every byte, it has the same segments.
    private func requireSame(_ target: RequestTarget, _ method: HTTPRequest.Method) throws {
        let segments = target.segments.map { segment in
            segment.bytes.map { "%\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }.joined()
        }
        let path = "/" + segments.joined(separator: "/") + (target.endsWithSlash ? "/" : "")
        guard path.utf8.count <= RequestTarget.lengthLimit else { return }
        let again = try RequestTarget(path, method: method)
        try require(
            again.segments == target.segments && again.endsWithSlash == target.endsWithSlash,
            "escaped and read again, the path is another")
    }
}
