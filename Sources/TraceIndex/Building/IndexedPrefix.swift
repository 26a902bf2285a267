internal import GRDB
internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// The part of a file that is indexed, as the hashes of its blocks.
struct IndexedPrefix {
    private let known: KnownFile
    private let database: Database

    init(of known: KnownFile, in database: Database) {
        self.known = known
        self.database = database
    }

    private var file: Int64 { known.id }
    private var byteCount: Int { known.resumePoint.byteOffset }

    /// Where reading can continue, if a file begins with what is indexed; and whether all of that was compared.
    ///
    /// A file that is another one or did not grow may have been edited anywhere, so that all is compared. One
    /// that grew is compared at both ends of its indexed part, and as a whole where that is quickly done.
    ///
    /// - Throws: ``FileError`` with `.io`.
    func resumption(
        in file: OpenRegularFile, _ verification: Verification
    ) throws -> (BlockHasher, isWhole: Bool)? {
        guard let identity = known.identity, file.identity.size >= byteCount else { return nil }
        // It may have grown while it was read, so that all of it is indexed.
        let hasGrown = identity.isSameFile(as: file.identity) && file.identity.size > identity.size
        let isWhole = verification == .thorough || !known.isLarge || !hasGrown
        return try matches(file, isWhole ? .thorough : .quick).map { ($0, isWhole) }
    }

    private var blockCount: Int { (byteCount + BlockHasher.blockSize - 1) / BlockHasher.blockSize }

    /// Whether a file begins with what is indexed.
    ///
    /// - Returns: A hasher that continues behind the indexed part, or nil if the file begins otherwise.
    /// - Throws: ``FileError`` with `.io`.
    private func matches(_ openFile: OpenRegularFile, _ verification: Verification) throws -> BlockHasher? {
        guard byteCount > 0 else { return BlockHasher() }
        let count = blockCount
        switch verification {
        case .thorough: return try matches(openFile, 0..<count)
        case .quick:
            let last = max(0, count - 2)..<count
            if last.lowerBound > 0, try matches(openFile, 0..<1) == nil { return nil }
            return try matches(openFile, last)
        }
    }

    private func matches(_ openFile: OpenRegularFile, _ blocks: Range<Int>) throws -> BlockHasher? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockHasher.blockSize, alignment: 64)
        defer { buffer.deallocate() }
        // Not `readPieces`: the rows of the index lead here, and a block that differs ends it.
        var next = blocks.lowerBound
        var last = Fingerprint()
        var isEqual = true
        try database.query(
            "SELECT hash FROM block WHERE file_id = ? AND number >= ? AND number < ? ORDER BY number"
        ).with(file, blocks.lowerBound, blocks.upperBound).forEach { row in
            guard isEqual else { return }
            let start = next * BlockHasher.blockSize
            let block = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(byteCount - start))
            let count = try openFile.read(into: block, at: Int64(start))
            last = Fingerprint()
            last.update(UnsafeRawBufferPointer(block))
            isEqual = count == block.count && last.value == UInt64(bitPattern: row.int(0))
            next += 1
        }
        guard isEqual, next == blocks.upperBound else { return nil }
        let isLastShort = byteCount % BlockHasher.blockSize != 0
        return BlockHasher(byteOffset: byteCount, current: isLastShort ? last : Fingerprint())
    }

    /// Writes the blocks that a hasher has seen.
    static func write(_ hasher: BlockHasher, of file: Int64, in database: Database) throws {
        let insert = try database.query(
            "INSERT OR REPLACE INTO block (file_id, number, hash) VALUES (?, ?, ?)")
        for (index, hash) in hasher.blocks.enumerated() {
            try insert.with(file, hasher.firstBlock + index, Int64(bitPattern: hash)).run()
        }
    }
}
