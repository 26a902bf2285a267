internal import TraceServer
import TraceText

/// Cursors of lists.
struct CursorFuzzing {
    private let input: [UInt8]

    init(_ input: [UInt8]) { self.input = input }

    func check() throws {
        let text = String(decoding: input, as: UTF8.self)
        if let cursor = try read(text) {
            try require(cursor.text == text, "two texts of one cursor: \(text)")
        }
        try requireSame()
    }

    /// nil where it is refused, which must be for what it is.
    private func read(_ text: String) throws -> Cursor? {
        do throws(ProtocolError) {
            return try Cursor(text)
        } catch {
            try require(error.code == .cursorMalformed, "refused with \(error)")
            return nil
        }
    }

    /// The input as fields, and one character of their text changed.
    private func requireSame() throws {
        let fields = input.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            line -> Cursor.Field in
            line.first.map { $0 & 1 == 0 } ?? true
                ? .bytes(Array(line))
                : .integer(line.dropFirst().prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        }
        let cursor = Cursor(fields)
        let text = cursor.text
        guard text.utf8.count <= Cursor.lengthLimit else { return }
        try require(try read(text) == cursor, "written and read again, the cursor is another")
        var damaged = Array(text.utf8)
        let index = Int(input.byte(0)) % damaged.count
        damaged[index] = damaged[index] == 0x41 ? 0x42 : 0x41
        try require(
            try read(String(decoding: damaged, as: UTF8.self)) == nil, "damage that is not seen: \(text)")
    }
}
