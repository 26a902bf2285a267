internal import TraceStore

/// Whether an MP3 says how long it is: its first frame has a table for that, by the names `Xing`, `Info` or `VBRI`. Without one its length is
/// known only to who has gone through all of it, since any frame may have another bit rate.
///
/// Source: ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3, 2.4.2.3; the table is where the first frame has its sound, behind 17 to 32 bytes.
enum MPEGAudioTable {
    /// How many bytes from the first frame on it is looked for: a header, a checksum, the side information.
    private static let reach = 64

    /// - Throws: ``FileError``.
    static func isThere(in file: HandedFile) throws -> Bool {
        let start = MediaContainer.tagLength(try file.bytes(at: 0, count: 10)) ?? 0
        // Zeroes may be between a tag and the first frame.
        let bytes = try file.bytes(at: start, count: 4096)
        guard
            let frame = bytes.indices.first(where: {
                bytes[$0] == 0xFF && bytes.dropFirst($0 + 1).first ?? 0 >= 0xE0
            })
        else { return false }
        let head = bytes[frame...].prefix(reach)
        return ["Xing", "Info", "VBRI"].contains { name in
            head.indices.contains { head[$0...].starts(with: name.utf8) }
        }
    }
}
