/// The container of a recording, as its first bytes have it: what a client says of a file is not what names it.
///
/// Source: docs/http.md#audio; ISO/IEC 14496-12, 4.3; 3GPP TS 26.244, 5.3; QuickTime File Format, "The File Type Compatibility Atom"; RFC 8794, 11.2; RFC 3533, 6; RFC 9639, 6; ID3v2.4, 3.1.
package enum AudioContainer: String, Sendable, CaseIterable {
    case mp4
    /// 3GP, as telephones record it: MP4 by its structure, with codecs that few browsers play.
    case threeGP
    /// MP4 by its structure, with codecs that few browsers play, and perhaps with film.
    case quickTime
    /// WebM, and any other Matroska.
    case webm
    case ogg
    case wav
    case flac
    case mp3

    /// The extension of a file of this kind.
    package var fileExtension: String {
        switch self {
        case .mp4: "m4a"
        case .threeGP: "3gp"
        case .quickTime: "mov"
        case .webm, .ogg, .wav, .flac, .mp3: rawValue
        }
    }

    /// How many bytes ``init(_:)`` needs to be sure.
    package static let neededLength = 12

    /// - Parameter bytes: The first ones of a file, ``neededLength`` or all.
    /// - Returns: Nil if they begin no container that a voice note may have.
    init?(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(Self.neededLength))
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            text.withUTF8Buffer { head.dropFirst(offset).starts(with: $0) }
        }
        if has("ftyp", at: 4) {
            if has("qt  ", at: 8) {
                self = .quickTime
            } else if has("3g", at: 8) {
                self = .threeGP
            } else {
                self = .mp4
            }
        } else if ["moov", "mdat", "free", "skip", "wide", "pnot"].contains(where: { has($0, at: 4) }) {
            // QuickTime is older than the atom that names a file's type.
            self = .quickTime
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .webm
        } else if has("OggS") {
            self = .ogg
        } else if has("RIFF"), has("WAVE", at: 8) {
            self = .wav
        } else if has("fLaC") {
            self = .flac
        } else if has("ID3") || Self.isMPEGFrame(head) {
            self = .mp3
        } else {
            return nil
        }
    }

    /// Whether it is the header of a frame of MPEG audio: sync word, and no reserved version, layer, bit rate or sampling rate.
    private static func isMPEGFrame(_ head: [UInt8]) -> Bool {
        guard head.count >= 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return false }
        let (version, layer) = (head[1] >> 3 & 3, head[1] >> 1 & 3)
        let (bitRate, samplingRate) = (head[2] >> 4, head[2] >> 2 & 3)
        return version != 1 && layer != 0 && bitRate != 15 && samplingRate != 3
    }
}
