internal import TraceFiles
internal import TraceStore
internal import TraceText

/// How much sound the header of a WAV or an AIFF names, and how much there is.
///
/// Sizes in it have 32 bits: of a recording beyond 4 GiB some recorders write what is left of the size then. Others write it when the recording
/// ends, which never comes where the battery is empty before.
///
/// Source: "Multimedia Programming Interface and Data Specifications 1.0", 2, RIFF; EBU Tech 3306 for RF64; "Audio Interchange File Format", 1.3.
struct SoundSize: Sendable, Equatable {
    /// In bytes; nil where the header leaves it open, as a program does that writes into a pipe.
    let named: Int64?
    /// In bytes, to the end of the file.
    let there: Int64
    /// Whether all of it is read, whatever the header names: ffmpeg does so with a WAV alone.
    let isAllRead: Bool

    /// More chunks than any recorder writes before the sound, or after it.
    private static let chunkLimit = 100

    /// - Parameter isBigEndian: Whether the highest byte of a number is the first: an AIFF, whose sound is in another chunk.
    /// - Returns: Nil if the two agree, or there is no sound in it.
    /// - Throws: ``FileError``.
    init?(of file: HandedFile, isBigEndian: Bool) throws {
        let size = try file.size
        isAllRead = !isBigEndian
        let sound = isBigEndian ? "SSND" : "data"
        var place: Int64 = 12
        var large: Int64?
        for _ in 0..<Self.chunkLimit {
            guard let chunk = try Chunk(at: place, in: file, isBigEndian: isBigEndian) else { return nil }
            if chunk.name == "ds64" { large = try file.bytes(at: place + 16, count: 8).littleEndian }
            guard chunk.name == sound else {
                place = chunk.end
                continue
            }
            there = size - place - 8
            let isOpen = chunk.size == 0xFFFF_FFFF
            named = isOpen ? large : chunk.size
            guard let named else { return }
            if named == there { return nil }
            if named < there,
                try Self.endsInChunks(
                    from: place + 8 + named + named % 2, to: size, file, isBigEndian)
            {
                return nil
            }
            return
        }
        return nil
    }

    /// Whether what follows the sound is chunks up to the end of the file, as lists of titles are, or next to nothing.
    private static func endsInChunks(
        from start: Int64, to end: Int64, _ file: HandedFile, _ isBigEndian: Bool
    ) throws
        -> Bool
    {
        var place = start
        for _ in 0..<chunkLimit {
            if end - place < 8 { return true }
            guard let chunk = try Chunk(at: place, in: file, isBigEndian: isBigEndian), chunk.end <= end + 1,
                chunk.name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return false }
            place = chunk.end
        }
        return false
    }

    private struct Chunk {
        let name: String
        let size: Int64
        /// Where the next one begins: each is padded to an even length.
        let end: Int64

        init?(at place: Int64, in file: HandedFile, isBigEndian: Bool) throws {
            let head = try file.bytes(at: place, count: 8)
            guard head.count == 8 else { return nil }
            name = String(decoding: head.prefix(4), as: UTF8.self)
            let bytes = Array(head.suffix(4))
            size = isBigEndian ? Array(bytes.reversed()).littleEndian : bytes.littleEndian
            end = place + 8 + size + size % 2
        }
    }

    /// What a person should know who adds the recording as it is.
    var message: String {
        switch named {
        case let named? where named > there:
            "its header names \(named) bytes of sound, but only \(there) are there: it was cut off, or is still being written"
        case let named? where !isAllRead:
            "its header names \(named) bytes of sound, but \(there) are there; no more than the header names is played"
        case let named?:
            "its header names \(named) bytes of sound, but \(there) are there; all of them count here, but other programs may play "
                + "no more than the header names"
        case nil: "its header does not say how much sound there is; some programs can't play it to its end"
        }
    }
}

extension SoundSize {
    /// What can be done about it.
    var cure: Cure {
        isAllRead || (named ?? 0) > there
            ? "\(verb: "media add-review-audio") makes audio of it that every program plays"
            : "save it again with the program that recorded it, or import it as raw audio into an editor"
    }
}

extension Collection<UInt8> {
    /// The number that these bytes are, the lowest first, cut off at 63 bits.
    fileprivate var littleEndian: Int64 {
        Int64(truncatingIfNeeded: reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } & UInt64(Int64.max))
    }
}
