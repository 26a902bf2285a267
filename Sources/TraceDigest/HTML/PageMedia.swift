internal import RecordFormat
internal import TraceFormat
package import TraceMedia
internal import TraceText

/// The media of a session that a page can link to and draw.
package struct PageMedia: Sendable, Hashable {
    /// The session's directory as seen from the page, as a URL: empty, or with a slash at its end; nil if it is not below the
    /// page.
    var base: String?
    /// The paths in the session of those media that are there, below the page.
    var present: Set<String>
    /// How loud the review audio is, where that is known.
    package var waveform: Waveform?

    package init(base: String? = nil, present: Set<String> = [], waveform: Waveform? = nil) {
        self.base = base
        self.present = present
        self.waveform = waveform
    }

    /// Where the page finds a file of the session; nil if it can't.
    func url(of path: String) -> String? {
        present.contains(path) ? (base ?? "") + Self.encoded(path.utf8) : nil
    }

    /// A path as a URL: every byte that may mean something there is written `%2F`-like, slashes aside.
    static func encoded(_ path: some Sequence<UInt8>) -> String {
        var url = ""
        for byte in path {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
                url.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                url += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return url
    }
}

/// The review audio of a session on a page.
struct PageAudio {
    let url: String
    /// Where in the session its first moment lies.
    let start: SessionOffset
    private let length: SessionOffset?

    /// Nil if the session has none, or the page can't find it.
    init?(of session: Session, in media: PageMedia) {
        guard let item = session.reviewAudio, let url = media.url(of: item.path) else { return nil }
        self.url = url
        start = item.startOffset ?? .zero
        length = item.duration
    }

    /// Where the audio plays what happened at an offset; nil if it had not begun or was over.
    func url(at offset: SessionOffset) -> String? {
        guard let place = offset.distance(from: start), place >= .zero, length.map({ place <= $0 }) ?? true
        else { return nil }
        return "\(url)#t=\(Self.seconds(place.milliseconds))"
    }

    /// Milliseconds as seconds in decimals.
    static func seconds(_ milliseconds: Int64) -> String {
        let rest = Int(milliseconds.magnitude % 1000)
        let sign = milliseconds < 0 ? "-" : ""
        return "\(sign)\(milliseconds.magnitude / 1000)\(rest == 0 ? "" : ".\(padded(rest, 3))")"
    }
}
