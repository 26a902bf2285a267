internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// How far a ledger was read, and by what that is recognised.
struct LedgerReading {
    /// The file as it was then.
    fileprivate var identity: FileIdentity
    /// Whether no later change can have left that identity.
    fileprivate var isProven: Bool
    /// Where the next reading begins: behind the last line that has its newline.
    fileprivate var end: Int64 = 0
    /// Where ``last`` begins.
    fileprivate var lastStart: Int64 = 0
    /// The last line that was read, with its newline, and what follows it: a line that is torn, or lacks its newline only.
    fileprivate var last: [UInt8] = []

    /// Whether the file is as it was.
    func isCurrent(_ file: LedgerFile) -> Bool { isProven && identity == file.file.identity }

    /// Whether the file begins with what was read: it is the same one, did not shrink, and the last line stands where it stood.
    func isPrefix(of file: LedgerFile) throws -> Bool {
        let now = file.file.identity
        guard now.isSameFile(as: identity), now.size > identity.size || now == identity else { return false }
        return try file.file.bytes(at: lastStart, count: last.count) == last
    }
}

/// The ledger as it was found.
struct LedgerFile {
    fileprivate let file: OpenRegularFile
    private let time: SystemTime

    /// The most that is read, in bytes.
    private static let limit: Int64 = 1 << 30
    private static let pieceSize = 1 << 20

    /// - Returns: Nil if there is none.
    /// - Throws: ``FileError``.
    init?(in directory: OpenDirectory) throws {
        time = SystemTime.now()
        guard let file = try directory.openRegularFile(LedgerContents.file) else { return nil }
        guard file.identity.size <= Self.limit else {
            throw FileError(
                .invalidData, "has \(file.identity.size) bytes, more than the limit of \(Self.limit)",
                path: file.path, cure: "check that this is the right file")
        }
        self.file = file
    }

    /// Reads what follows an earlier reading, to the size that the file had when it was found.
    ///
    /// A last line without its newline is noted where it is whole, and read once more the next time.
    ///
    /// - Throws: ``FileError``; then `contents` may have some of the lines.
    func read(
        after earlier: LedgerReading?, into contents: inout LedgerContents
    ) throws -> LedgerReading {
        let parser = try JSONParser()
        var reading = LedgerReading(
            identity: file.identity, isProven: !file.identity.isTooFresh(at: time), end: earlier?.end ?? 0,
            lastStart: earlier?.lastStart ?? 0, last: earlier?.lastLine ?? [])
        var rest: [UInt8] = []
        var offset = reading.end
        while offset < file.identity.size {
            let wanted = min(Int64(Self.pieceSize), file.identity.size - offset)
            let piece = try file.bytes(at: offset, count: Int(wanted))
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            rest += piece
            var start = 0
            var last = 0..<0
            while let next = rest[start...].firstIndex(of: newline) {
                contents.note(line: rest[start..<next], parser)
                last = start..<next + 1
                start = next + 1
            }
            guard start > 0 else { continue }
            reading.end += Int64(start)
            reading.lastStart = reading.end - Int64(last.count)
            reading.last = Array(rest[last])
            rest.removeFirst(start)
        }
        if !rest.isEmpty {
            contents.note(line: rest[...], parser)
            reading.last += rest
        }
        return reading
    }

    /// Whether nothing but an append can have happened while it was read.
    var hasOnlyGrown: Bool {
        get throws {
            let now = try file.currentIdentity()
            return now.size > file.identity.size || now == file.identity
        }
    }

    /// Announces a step to the tests.
    func reach(_ step: WriteStep, in directory: OpenDirectory) throws {
        try explaining("read", file.path) { () throws(Errno) in
            try directory.reach(step, LedgerContents.file)
        }
    }
}

extension LedgerReading {
    /// The last whole line alone.
    fileprivate var lastLine: [UInt8] { Array(last.prefix(Int(end - lastStart))) }
}
