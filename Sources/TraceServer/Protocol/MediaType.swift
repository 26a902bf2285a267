internal import TraceMedia

/// The `Content-Type` of a file.
///
/// Nothing is sent as a page, a script or an image with scripts: a file whose extension is not listed here is sent as bytes to be
/// saved. The type in `session.json` is not used.
///
/// Source: docs/http.md#conditions-and-ranges; RFC 9110, section 8.3.
struct MediaType: Sendable, Hashable {
    /// The value of `Content-Type`.
    let name: String
    /// Whether a browser may show or play it; else it is to be saved (``ContentDisposition``).
    let isInline: Bool

    /// Bytes that a browser can only save.
    static let unknown = MediaType(name: "application/octet-stream", isInline: false)

    /// What every player plays.
    static let mp4Audio = "audio/mp4"

    /// The type of a file in `media/`: one of sound or film by its extension, or bytes to be saved.
    static func ofRecording(named name: [UInt8]) -> MediaType {
        type(named: name, in: recordings)
    }

    /// The type of a file that the format itself has in a session: its records and its digest.
    static func ofSessionFile(named name: [UInt8]) -> MediaType {
        type(named: name, in: documents)
    }

    private static let recordings = [
        "3g2": "video/3gpp2", "3gp": "video/3gpp", "aac": "audio/aac", "aif": "audio/aiff",
        "aiff": "audio/aiff", "flac": "audio/flac",
        "m4a": "audio/mp4",
        "m4b": "audio/mp4", "m4v": "video/mp4", "mka": "audio/x-matroska", "mkv": "video/x-matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "oga": "audio/ogg",
        "ogg": "audio/ogg",
        "ogv": "video/ogg", "opus": "audio/ogg", "wav": "audio/wav", "weba": "audio/webm",
        "webm": "video/webm",
    ]

    /// The extension that a voice note's audio has, as far as its type tells: that of its container. Its bytes have the last word.
    ///
    /// - Parameter type: As a recorder or a browser says it, in either case, with or without parameters (`audio/webm;codecs=opus`).
    /// - Returns: Nil for a type that is not accepted.
    static func fileExtension(ofAudio type: String) -> String? {
        let name = String(type.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" })
        return voiceNotes.first { $0.types.contains(name) }?.container.fileExtension
    }

    /// The types as which the audio of a voice note may be sent; the first is what documentation calls it.
    ///
    /// A browser takes the type from the name of a file, so that film may be named that has sound alone; where it doesn't know the name, it has
    /// none.
    static let voiceNotes: [(container: AudioContainer, types: [String])] = [
        (
            .mp4,
            [
                "audio/mp4", "audio/m4a", "audio/x-m4a", "audio/mp4a-latm", "video/mp4",
                "application/octet-stream",
            ]
        ),
        (.threeGP, ["audio/3gpp", "audio/3gpp2", "audio/3gp", "video/3gpp", "video/3gpp2"]),
        (.quickTime, ["video/quicktime", "audio/quicktime"]),
        (.webm, ["audio/webm", "video/webm", "audio/x-matroska", "audio/matroska"]),
        (
            .ogg,
            [
                "audio/ogg", "audio/opus", "audio/vorbis", "application/ogg", "video/ogg", "audio/x-opus+ogg",
                "audio/x-vorbis+ogg",
            ]
        ),
        (.wav, ["audio/wav", "audio/wave", "audio/x-wav", "audio/vnd.wave"]),
        (.flac, ["audio/flac", "audio/x-flac"]), (.mp3, ["audio/mpeg", "audio/mp3", "audio/x-mp3"]),
    ]

    private static let documents = [
        "json": "application/json", "jsonl": "application/jsonl", "md": "text/markdown; charset=utf-8",
    ]

    private static func type(named name: [UInt8], in types: [String: String]) -> MediaType {
        // A name that begins with its only dot has no extension.
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return unknown }
        let fileExtension = String(decoding: name[dot...].dropFirst().map(\.asciiLowercased), as: UTF8.self)
        return types[fileExtension].map { MediaType(name: $0, isInline: true) } ?? unknown
    }
}
