internal import NIOCore
internal import TraceExchange
internal import TraceFiles

/// A form in which all of a list is sent, row by row.
struct WholeList: Sendable {
    /// Its media type.
    let type: String
    /// The type, as the answer tells it.
    let contentType: String
    /// What comes before the first row.
    var head: [UInt8] = []
    /// Writes a row.
    let write: @Sendable (_ row: [UInt8], _ bytes: inout ByteBuffer) -> Void

    /// A row a line.
    static let lines = WholeList(type: "application/jsonl", contentType: "application/jsonl") { row, bytes in
        bytes.writeBytes(row)
        bytes.writeInteger(newline)
    }

    /// A transcript as WebVTT.
    static let captions = WholeList(
        type: "text/vtt", contentType: "text/vtt; charset=utf-8", head: WebVTTCaptions.head
    ) { row, bytes in
        bytes.writeBytes(WebVTTCaptions.cue(of: row))
    }
}
