package import TraceFormat

/// The markers of a session in the order of their offsets, without holding them: of each is known where it stands, and its
/// line is read when it is asked for.
///
/// Memory is 24 bytes a line of `markers.jsonl`, and what a few hundred kilobytes of lines need.
package struct OrderedMarkers: Sendable {
    /// Which markers, and from where their offsets count.
    package struct Choice: Sendable {
        /// Those that bear all of these tags, in lower case.
        package var tags: [String] = []
        /// Where in the session offset 0 lies; what stands before it is left out.
        package var origin = SessionOffset.zero
        /// How long what begins there is; what stands behind it is left out.
        package var length: SessionOffset?
        /// How much earlier everything is to stand, if not before 0.
        package var lead = SessionOffset.zero

        package init() {}
    }

    /// A line: where its marker is to stand, and where in the file it lies.
    private struct Key {
        var offset: Int64
        /// Byte offset, length and whether it is chosen, so that places are ordered as lines are.
        var place: UInt64
        /// Of the id.
        var hash: UInt64

        static let lengthBits: UInt64 = 25

        init(offset: Int64, byteOffset: Int, length: Int, isChosen: Bool, hash: UInt64) {
            self.offset = offset
            self.hash = hash
            place = (UInt64(byteOffset) << Self.lengthBits | UInt64(length)) << 1 | (isChosen ? 1 : 0)
        }

        var isChosen: Bool { place & 1 == 1 }
        var length: Int { Int(place >> 1 & (1 << Self.lengthBits - 1)) }
        var byteOffset: Int { Int(place >> (Self.lengthBits + 1)) }
    }

    private let file: OpenRegularFile?
    private let directory: OpenDirectory
    private let keys: [Key]
    private let origin: SessionOffset
    private let lead: SessionOffset
    /// How many of the chosen markers lie before the origin, or behind the length.
    package let outside: Int
    /// How many lines hold no marker.
    package let unreadable: Int

    /// Reads through the file once.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n* log *n*) in the number of lines.
    package init(in session: OpenSession, _ choice: Choice = Choice()) throws {
        directory = session.directory
        origin = choice.origin
        lead = choice.lead
        file = try session.directory.openRegularFile(RecordKind.marker.component)
        var reading = try Self.read(
            file, isSettled: file.map { session.isSettled($0.identity) } ?? true, choice.tags)
        unreadable = reading.unreadable
        try Self.keepLast(&reading.keys, file)
        var outside = 0
        let last = choice.length.map(\.milliseconds) ?? .max
        reading.keys.removeAll { key in
            if !key.isChosen { return true }
            let (offset, overflow) = key.offset.subtractingReportingOverflow(choice.origin.milliseconds)
            guard !overflow, offset >= 0, offset <= last else {
                outside += 1
                return true
            }
            return false
        }
        reading.keys.sort { ($0.offset, $0.place) < ($1.offset, $1.place) }
        self.outside = outside
        keys = reading.keys
    }

    package var count: Int { keys.count }

    /// Where each is to stand.
    package var offsets: some RandomAccessCollection<SessionOffset> { keys.lazy.map(offset) }

    private func offset(_ key: Key) -> SessionOffset {
        let (earlier, overflow) = (key.offset - origin.milliseconds).subtractingReportingOverflow(
            lead.milliseconds)
        return SessionOffset(milliseconds: overflow ? 0 : max(0, earlier))
    }

    // MARK: - Which lines

    private static func read(
        _ file: OpenRegularFile?, isSettled: Bool, _ tags: [String]
    ) throws -> (keys: [Key], unreadable: Int) {
        guard let file else { return ([], 0) }
        var random = SystemRandomNumberGenerator()
        let seed = (random.next(), random.next())
        var keys: [Key] = []
        var unreadable = 0
        let size = Int(file.identity.size)
        let stream = try RecordStream(linesOf: .marker, isSettled: isSettled) { line in
            let fields = line.fields
            guard let id = fields.id, let offset = fields.offset else {
                unreadable += 1
                return
            }
            // Once it is known how long the lines are, the room for all is taken at once.
            if keys.count == 1000 {
                // A file with holes can be said to be as long as the largest disk; the room for more than ten million is taken step by step.
                keys.reserveCapacity(min(size / max(1, line.line.offset / 1000), 10_000_000) + 1000)
            }
            let isChosen = tags.isEmpty || fields.bear(tags)
            keys.append(
                Key(
                    offset: offset.milliseconds, byteOffset: line.line.offset,
                    length: line.line.content.count,
                    isChosen: isChosen, hash: id.hash(seed)))
        } onFinding: { finding in
            if Rule.reading.contains(finding.rule), finding.severity == .error { unreadable += 1 }
        }
        var offset: Int64 = 0
        while true {
            let count = try file.read(into: stream.space(), at: offset)
            if count == 0 { break }
            offset += Int64(count)
            try stream.filled(count)
        }
        try stream.finish()
        return (keys, unreadable)
    }

    /// Leaves the last line of each id.
    private static func keepLast(_ keys: inout [Key], _ file: OpenRegularFile?) throws {
        keys.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        guard let file else { return }
        let window = LineWindow(file)
        var superseded: Set<UInt64> = []
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end].hash == keys[start].hash { end += 1 }
            if end - start > 1 {
                // Ids that differ may have the same hash.
                var last: [ULID: UInt64] = [:]
                for key in keys[start..<end] {
                    guard let id = RecordCheck.id(of: try window.line(at: key.byteOffset, count: key.length))
                    else { continue }
                    if let older = last.updateValue(key.place, forKey: id) { superseded.insert(older) }
                }
            }
            start = end
        }
        if !superseded.isEmpty { keys.removeAll { superseded.contains($0.place) } }
    }

    // MARK: - The markers

    /// Writes all of them in a format, on all cores, and hands out the text piece by piece.
    ///
    /// - Parameter take: Gets the pieces in order, by the calling thread.
    /// - Returns: How many entries were written.
    /// - Throws: ``StoreError`` with `.changedMeanwhile` where another program overwrites the file; what `take` throws.
    @discardableResult
    package func write(_ format: any MarkerFormat, _ take: ([UInt8]) throws -> Void) throws -> Int {
        var text: [UInt8] = []
        format.begin(&text)
        try take(text)
        let entries = format.entries(at: offsets)
        let count = entries?.count ?? keys.count
        let pieceSize = 2048
        try OrderedWork.run((count + pieceSize - 1) / pieceSize) { piece in
            let numbers = piece * pieceSize..<min(count, (piece + 1) * pieceSize)
            return try self.piece(numbers, entries, of: count, format)
        } take: {
            try take($0)
        }
        text = []
        format.end(&text)
        try take(text)
        return count
    }

    /// Hands out all of them as they stand in the session, one after the other.
    ///
    /// - Throws: As ``write(_:_:)``.
    package func forEach(_ body: (Marker) throws -> Void) throws {
        guard let file else { return }
        let reader = Reader(
            decoder: try RecordDecoder(.marker) { Marker($0) }, window: LineWindow(file), directory: directory
        )
        for key in keys { try body(try reader.marker(key).value) }
    }

    private func piece(
        _ numbers: Range<Int>, _ entries: [Int]?, of count: Int, _ format: any MarkerFormat
    ) throws -> [UInt8] {
        guard let file else { return [] }
        let reader = Reader(
            decoder: try RecordDecoder(.marker) { Marker($0) }, window: LineWindow(file), directory: directory
        )
        func first(_ number: Int) -> Int { entries.map { $0[number] } ?? number }
        var text: [UInt8] = []
        text.reserveCapacity(numbers.count * 128)
        for number in numbers {
            let start = first(number)
            let end = number + 1 < count ? first(number + 1) : entries == nil ? start + 1 : keys.count
            var found = try reader.marker(keys[start])
            let offset = offset(keys[start])
            let isMoved = found.value.offset != offset
            found.value.offset = offset
            let others = try (start + 1..<end).map { try reader.marker(keys[$0]).value }
            let next = end < keys.count ? self.offset(keys[end]) : nil
            format.write(
                ExportItem(
                    found.value, others: others, line: found.line, isMoved: isMoved, number: number,
                    next: next),
                to: &text)
        }
        return text
    }

    /// Makes markers of lines.
    private struct Reader {
        let decoder: RecordDecoder<Marker>
        let window: LineWindow
        let directory: OpenDirectory

        func marker(_ key: Key) throws -> OpenSession.Found<Marker> {
            guard let found = decoder.decode(try window.line(at: key.byteOffset, count: key.length)) else {
                throw StoreError(
                    .changedMeanwhile, "changed while it was read",
                    path: directory.path(of: RecordKind.marker.component),
                    byteOffset: Int64(key.byteOffset), hint: "try again")
            }
            return found
        }
    }
}

/// Reads lines of a file: ahead, as long as they follow one another.
private final class LineWindow {
    private let file: OpenRegularFile
    private var bytes: [UInt8] = []
    private var start = 0
    private var expected = 0

    private static let ahead = 64 << 10

    init(_ file: OpenRegularFile) { self.file = file }

    /// - Throws: ``StoreError`` with `.changedMeanwhile` where the file has become shorter.
    func line(at offset: Int, count: Int) throws -> [UInt8] {
        let end = offset + count
        if offset < start || end > start + bytes.count {
            let follows = offset >= expected && offset - expected < Self.ahead
            let wanted = follows ? max(count, Self.ahead) : count
            bytes = try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                // Sound: `read` writes exactly as many bytes as it says, from the start of the buffer.
                filled = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: Int64(offset))
            }
            start = offset
            guard bytes.count >= count else {
                throw StoreError(.changedMeanwhile, "became shorter while it was read", path: file.path)
            }
        }
        expected = end
        return Array(bytes[(offset - start)..<(end - start)])
    }
}

extension RecordFields {
    /// Whether the record bears all of some tags, in lower case, as tags are.
    fileprivate func bear(_ wanted: [String]) -> Bool {
        let own = tags?.compactMap { $0.string?.lowercased() } ?? []
        return wanted.allSatisfy(own.contains)
    }
}
