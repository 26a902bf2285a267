package import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// A line of a file of records: the offset of its record, and where in the file it lies.
package struct LineKey: Sendable {
    /// In milliseconds; -1 where the record has none.
    let offset: Int64
    /// Byte offset, length and whether the line is wanted, so that places are ordered as lines are.
    fileprivate(set) var place: UInt64

    private static let lengthBits: UInt64 = 25

    package init(offset: SessionOffset, byteOffset: Int, length: Int) {
        self.init(offset: offset, byteOffset: byteOffset, length: length, isWanted: true)
    }

    fileprivate init(offset: SessionOffset?, byteOffset: Int, length: Int, isWanted: Bool) {
        self.offset = offset?.milliseconds ?? -1
        place = (UInt64(byteOffset) << Self.lengthBits | UInt64(length)) << 1 | (isWanted ? 1 : 0)
    }

    fileprivate var isWanted: Bool {
        get { place & 1 == 1 }
        set { place = place & ~1 | (newValue ? 1 : 0) }
    }

    /// Without the line break.
    package var length: Int { Int(place >> 1 & (1 << Self.lengthBits - 1)) }
    package var byteOffset: Int { Int(place >> (Self.lengthBits + 1)) }
}

/// The lines of a file of records that count, the last of each id, as far as they are wanted.
///
/// The file is read once, on all cores, and nothing of a line is looked at but what is asked for. Memory is 24 bytes a
/// line, and less than 6 for each that is wanted until it is known which of them are the last of their ids.
struct LineKeys {
    /// In the order of the file.
    private(set) var keys: [LineKey] = []
    /// Of the ids; of all lines that have one, since any of them can supersede a wanted one.
    private var hashes: [UInt64] = []
    /// How many lines hold no record, or one without a valid id or offset.
    private(set) var unreadable = 0

    /// - Parameters:
    ///   - partSize: How many bytes are read at a time, more or less.
    ///   - isWanted: Is asked by several threads.
    /// - Throws: ``FileError``, with `.changedMeanwhile` if another program overwrites the file.
    /// - Complexity: O(size of the file).
    init(
        of kind: RecordKind, in file: OpenRegularFile, isSettled: Bool, partSize: Int = 1 << 20,
        where isWanted: @escaping @Sendable (CheckedLine) -> Bool
    ) throws {
        var random = SystemRandomNumberGenerator()
        let seed = (random.next(), random.next())
        let reading = PartReading(file: file, partSize: partSize) { start in
            try LineKeyReader(kind, from: start, isSettled: isSettled, seed, isWanted)
        }
        var bytesRead = 0
        let failure = try reading.run { part in
            bytesRead = min(bytesRead + reading.partSize, Int(file.identity.size))
            append(part, after: bytesRead, of: Int(file.identity.size))
        }
        if let failure { throw failure }
        try keepLast(of: kind, in: file)
        hashes = []
        keys.removeAll { !$0.isWanted }
    }

    /// Adds what a part holds, which ends about `bytesRead` bytes behind the start of the file.
    private mutating func append(_ part: LineKeyReader.Product, after bytesRead: Int, of size: Int) {
        let count = keys.count + part.keys.count
        if count > keys.capacity {
            // Room for all is taken at once, if the other lines are as long as these.
            let expected = Double(count) * Double(size) / Double(max(1, bytesRead)) * 1.02
            // A file with holes can be said to be as long as the largest disk: beyond ten million the room grows with the lines.
            let room = max(Int(min(expected, 1e7)) + 16, count + count / 8)
            keys.reserveCapacity(room)
            hashes.reserveCapacity(room)
        }
        keys += part.keys
        hashes += part.hashes
        unreadable += part.unreadable
    }

    /// Takes what is not the last line of its id off the wanted ones.
    ///
    /// In a table of the wanted lines by the hashes of their ids: where two have the same, the ids are compared.
    private mutating func keepLast(of kind: RecordKind, in file: OpenRegularFile) throws {
        let wanted = keys.count(where: \.isWanted)
        guard wanted > 0 else { return }
        let free = UInt32.max
        var table = [UInt32](repeating: free, count: wanted + wanted / 3 + 1)
        let ids = try LineIDs(kind, file)
        for index in keys.indices {
            let hash = hashes[index]
            var place = Int(hash.multipliedFullWidth(by: UInt64(table.count)).high)
            while table[place] != free {
                let other = Int(table[place])
                if hashes[other] == hash, try ids.areSame(keys[other], keys[index]) {
                    keys[other].isWanted = false
                    break
                }
                place += 1
                if place == table.count { place = 0 }
            }
            if keys[index].isWanted { table[place] = UInt32(index) }
        }
    }
}

/// Finds the lines of one part of a file.
private final class LineKeyReader: PartReader {
    struct Product: Sendable {
        var keys: [LineKey] = []
        var hashes: [UInt64] = []
        var unreadable = 0
    }

    private let stream: RecordStream
    private let collector: Collector

    init(
        _ kind: RecordKind, from start: Int, isSettled: Bool, _ seed: (UInt64, UInt64),
        _ isWanted: @escaping (CheckedLine) -> Bool
    ) throws {
        let collector = Collector()
        self.collector = collector
        // Only the file's first line may have the number 1: a byte order mark is looked for there.
        stream = try RecordStream(
            linesOf: .of(kind), from: .init(byteOffset: start, lineNumber: start == 0 ? 1 : 2),
            isSettled: isSettled, strictness: .readable
        ) { line in
            let offset = line.offset
            if line.id == nil || offset == nil { collector.product.unreadable += 1 }
            guard let id = line.id else { return }
            collector.product.keys.append(
                LineKey(
                    offset: offset, byteOffset: line.line.offset, length: line.line.content.count,
                    isWanted: isWanted(line)))
            collector.product.hashes.append(id.hash(seed))
        } onFinding: { finding in
            if Rule.reading.contains(finding.rule), finding.severity == .error {
                collector.product.unreadable += 1
            }
        }
    }

    func space() -> UnsafeMutableRawBufferPointer { stream.space() }

    func filled(_ count: Int) throws { try stream.filled(count) }

    func finish(isEndOfFile: Bool) throws -> Product {
        if isEndOfFile { try stream.finish() }
        return collector.product
    }

    /// Collects what the stream's closures receive.
    private final class Collector {
        var product = Product()
    }
}

/// Compares the ids of lines, which are read again.
private struct LineIDs {
    private let window: LineWindow
    private let checker: RecordChecker

    init(_ kind: RecordKind, _ file: OpenRegularFile) throws {
        window = LineWindow(file)
        checker = try RecordChecker(kind, strictness: .readable)
    }

    func areSame(_ one: LineKey, _ other: LineKey) throws -> Bool { try id(of: one) == id(of: other) }

    private func id(of key: LineKey) throws -> ULID {
        let line = try window.line(key)
        guard let id = PaddedBytes.withLine(line, { checker.check($0) { _ in }?.id }) else {
            throw window.changed(at: key)
        }
        return id
    }
}

/// Reads lines of a file: ahead, as long as they follow one another.
final class LineWindow {
    private let file: OpenRegularFile
    private var bytes: [UInt8] = []
    private var start = 0
    private var expected = 0

    private static let ahead = 64 << 10

    init(_ file: OpenRegularFile) { self.file = file }

    /// The bytes of a line, without its line break.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile` if the file has become shorter.
    func line(_ key: LineKey) throws -> [UInt8] {
        let (offset, count) = (key.byteOffset, key.length)
        let end = offset + count
        if offset < start || end > start + bytes.count {
            let follows = offset >= expected && offset - expected < Self.ahead
            let wanted = follows ? max(count, Self.ahead) : count
            bytes = try file.bytes(at: Int64(offset), count: wanted)
            start = offset
            guard bytes.count >= count else { throw file.shrunk }
        }
        expected = end
        return Array(bytes[(offset - start)..<(end - start)])
    }

    /// That a line is no longer what was read before.
    func changed(at key: LineKey) -> FileError {
        FileError(
            .changedMeanwhile, "changed while it was read", path: file.path,
            byteOffset: Int64(key.byteOffset),
            cure: "try again")
    }
}
