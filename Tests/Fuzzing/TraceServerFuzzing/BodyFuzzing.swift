internal import RecordFormat
internal import TraceFormat
internal import TraceServer
import TraceText

/// Bodies that clients send.
struct BodyFuzzing {
    private let input: [UInt8]
    private let id = ULID(milliseconds: 1_770_000_000_000, digest: Array(0..<32))

    init(_ input: [UInt8]) { self.input = input }

    func check() throws {
        if let line = try? marker(input) {
            try require(!line.contains(0x0A), "a record of several lines")
            try require(try marker(line) == line, "the line as a body makes another line")
            try JSONParser().withParsed(line) { record in
                try require(record[name: "id"]?.string == id.description, "a record of another id")
                for name in ["created_at", "source"] as [StaticString] {
                    try require(record[name: name] != nil, "a record without \(name)")
                }
            }
        }
        do {
            _ = try PhoneExport(parsing: input, file: "the body")
        } catch {
            try require(!error.message.isEmpty, "refused without a reason")
        }
    }

    private func marker(_ body: [UInt8]) throws -> [UInt8] {
        try RecordBody.marker(body, id) { SessionOffset(milliseconds: max(0, $0.milliseconds)) }
    }
}
