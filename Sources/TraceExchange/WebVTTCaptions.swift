package import RecordFormat
internal import TraceFormat
internal import TraceText

/// A transcript as captions, by the session's clock: for `<track kind="captions">` of a web page, and for players.
///
/// The identifier of a cue is the segment's id, its voice who speaks.
///
/// Source: W3C, "WebVTT: The Web Video Text Tracks Format".
package enum WebVTTCaptions {
    /// What comes before the first cue.
    package static var head: [UInt8] { WebVTT.head }

    /// The cue of a segment.
    ///
    /// - Parameters:
    ///   - line: A line of `transcript.jsonl`.
    ///   - start: The offset from which the times of the cue are counted, that of a recording.
    /// - Returns: Nothing if the line has no id, no offset that can be written, or no text, and if it ends before `start`.
    package static func cue(of line: [UInt8], from start: SessionOffset = .zero) -> [UInt8] {
        let parsed = try? JSONParser().withParsed(line) { segment -> [UInt8]? in
            guard let id = segment[name: "id"]?.string.flatMap({ ULID($0) }),
                let offset = segment[name: "offset_ms"]?.integer.map(SessionOffset.init(milliseconds:)),
                offset >= .zero,
                let text = segment[name: "text"]?.string?.oneLine, text.contains(where: { !$0.isWhitespace })
            else { return nil }
            let duration = SessionOffset(milliseconds: max(1, segment[name: "duration_ms"]?.integer ?? 0))
            guard let end = offset.sum(with: duration), end > start, start >= .zero else { return nil }
            var cue: [UInt8] = []
            cue.append(
                cue: id, from: max(.zero, offset.subtracting(start)), to: end.subtracting(start))
            if let speaker = segment[name: "speaker"]?.string?.oneLine, !speaker.isEmpty {
                cue += "<v ".utf8
                cue.append(cueText: speaker)
                cue.append(UInt8(ascii: ">"))
            }
            cue.append(cueText: text)
            cue.append(UInt8(ascii: "\n"))
            return cue
        }
        return (parsed ?? nil) ?? []
    }
}
