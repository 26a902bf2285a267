/// The kind and MIME type for a file name extension.
package enum MediaFileType {
    /// The kind and the media type of a file of that name, or nil if the name does not tell.
    ///
    /// Source: the registry of IANA; RFC 4337 and RFC 5334 for MP4 and Ogg.
    package static func of(extension name: String) -> (kind: MediaItem.Kind, mime: String)? {
        switch name.lowercased() {
        case "m4a": (.audio, "audio/mp4")
        case "mp3": (.audio, "audio/mpeg")
        case "aac": (.audio, "audio/aac")
        case "flac": (.audio, "audio/flac")
        case "wav": (.audio, "audio/wav")
        case "aif", "aiff": (.audio, "audio/aiff")
        case "caf": (.audio, "audio/x-caf")
        case "ogg", "oga", "opus": (.audio, "audio/ogg")
        case "mka": (.audio, "audio/x-matroska")
        case "mp4", "m4v": (.video, "video/mp4")
        case "3gp": (.video, "video/3gpp")
        case "3g2": (.video, "video/3gpp2")
        case "mov": (.video, "video/quicktime")
        case "mkv": (.video, "video/x-matroska")
        case "webm": (.video, "video/webm")
        case "flv": (.video, "video/x-flv")
        case "ts": (.video, "video/mp2t")
        default: nil
        }
    }
}
