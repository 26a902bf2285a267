internal import RecordFormat
internal import TraceFormat

/// The parts of a WebVTT file.
///
/// Source: W3C, "WebVTT: The Web Video Text Tracks Format".
enum WebVTT {
    static let head = Array("WEBVTT\n".utf8)
}

extension [UInt8] {
    /// Appends a cue as far as its text, which is one line and ends it.
    ///
    /// - Parameter end: After `start`: a cue must last.
    mutating func append(cue id: ULID, from start: SessionOffset, to end: SessionOffset) {
        append(UInt8(ascii: "\n"))
        id.append(to: &self)
        append(UInt8(ascii: "\n"))
        append(longClock: start)
        self += " --> ".utf8
        append(longClock: end)
        append(UInt8(ascii: "\n"))
    }

    /// Appends text in which nothing is markup.
    mutating func append(cueText text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): self += "&amp;".utf8
            case UInt8(ascii: "<"): self += "&lt;".utf8
            case UInt8(ascii: ">"): self += "&gt;".utf8
            default: append(byte)
            }
        }
    }
}
