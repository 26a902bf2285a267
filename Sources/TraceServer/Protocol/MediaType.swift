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
        "aac": "audio/aac", "aif": "audio/aiff", "aiff": "audio/aiff", "flac": "audio/flac",
        "m4a": "audio/mp4",
        "m4b": "audio/mp4", "m4v": "video/mp4", "mka": "audio/x-matroska", "mkv": "video/x-matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "oga": "audio/ogg",
        "ogg": "audio/ogg",
        "ogv": "video/ogg", "opus": "audio/ogg", "wav": "audio/wav", "weba": "audio/webm",
        "webm": "video/webm",
    ]

    /// The types as which the audio of a voice note may be sent, one for each container.
    static let audioTypes = voiceNotes.map(\.type)

    /// The extension of the file for a voice note's audio: that of its container.
    ///
    /// - Parameter type: As a recorder says it, in either case, with or without parameters (`audio/webm;codecs=opus`).
    /// - Returns: Nil for a type that is not accepted.
    static func fileExtension(ofAudio type: String) -> String? {
        let name = String(type.prefix { $0 != ";" }.lowercased().filter { $0 != " " })
        return voiceNotes.first { $0.type == name || $0.aliases.contains(name) }?.ending
    }

    private static let voiceNotes: [(type: String, ending: String, aliases: [String])] = [
        ("audio/mp4", "m4a", ["audio/m4a", "audio/x-m4a"]), ("audio/webm", "webm", []),
        ("audio/ogg", "ogg", []), ("audio/wav", "wav", ["audio/wave", "audio/x-wav", "audio/vnd.wave"]),
        ("audio/flac", "flac", ["audio/x-flac"]), ("audio/mpeg", "mp3", ["audio/mp3"]),
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
