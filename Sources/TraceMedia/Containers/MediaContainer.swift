internal import TraceStore
internal import TraceFiles

/// The containers of recordings that are opened, also those of strangers, each by the one demuxer of ffmpeg that reads it.
///
/// None of them names other files that its demuxer would open: playlists and manifests are not among them. As the first bytes have it,
/// whatever the file is called.
///
/// Source: docs/media.md, "Containers"; ISO/IEC 14496-12, 4.3; RFC 8794, 11.2; RFC 3533, 6; RFC 9639, 6; ID3v2.4, 3.1; ISO/IEC 13818-7,
/// 6.2; ISO/IEC 13818-1, 2.4.3.
enum MediaContainer: String, CaseIterable {
    /// Also 3GP and QuickTime.
    case mp4 = "mov"
    /// Also WebM.
    case matroska
    case ogg
    case wav
    case flac
    case mp3
    /// ADTS.
    case aac
    case aiff
    case caf
    case flv
    /// MPEG transport streams.
    case transportStream = "mpegts"

    /// What ffmpeg calls its demuxer.
    var demuxer: String { rawValue }

    /// The options of ffmpeg and ffprobe before the file: to take it for nothing else, and to follow nothing that it refers to.
    var options: [String] { ["-f", demuxer] + (self == .mp4 ? ["-enable_drefs", "0"] : []) }

    /// How many bytes ``init(_:)`` needs to be sure.
    private static let neededLength = transportPacket + 1
    private static let transportPacket = 188

    /// The container of a file; nil if it is none of these.
    ///
    /// - Throws: ``FileError``.
    init?(of file: HandedFile) throws(FileError) {
        let head = try file.bytes(at: 0, count: Self.neededLength)
        guard let container = Self(head) else { return nil }
        self = container
        // A tag of MP3 may be in front of what is not MP3.
        guard container == .mp3, let length = Self.tagLength(head) else { return }
        let behind = Self(try file.bytes(at: length, count: Self.neededLength))
        if let behind, [.aac, .flac].contains(behind) { self = behind }
    }

    /// - Parameter head: The first bytes of a file, ``neededLength`` or all.
    private init?(_ head: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            text.withUTF8Buffer { head.dropFirst(offset).starts(with: $0) }
        }
        switch AudioContainer(head) {
        case .mp4, .threeGP, .quickTime: self = .mp4
        case .webm: self = .matroska
        case .ogg: self = .ogg
        case .wav: self = .wav
        case .flac: self = .flac
        case .mp3: self = .mp3
        case nil:
            if has("RF64"), has("WAVE", at: 8) {
                self = .wav
            } else if head.count > 1, head[0] == 0xFF, head[1] & 0xF6 == 0xF0 {
                self = .aac
            } else if has("FORM"), has("AIFF", at: 8) || has("AIFC", at: 8) {
                self = .aiff
            } else if has("caff") {
                self = .caf
            } else if has("FLV\u{1}") {
                self = .flv
            } else if head.count > Self.transportPacket, head[0] == 0x47, head[Self.transportPacket] == 0x47 {
                self = .transportStream
            } else {
                return nil
            }
        }
    }

    /// How many bytes a tag at the start takes; nil if there is none.
    ///
    /// Source: ID3v2.4, 3.1: the size has seven bits a byte, and leaves out the header and a footer of ten bytes each.
    static func tagLength(_ head: [UInt8]) -> Int64? {
        guard head.count >= 10, head.starts(with: "ID3".utf8) else { return nil }
        let size = head[6..<10].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
        return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
}
