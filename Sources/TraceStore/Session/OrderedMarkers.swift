package import RecordFormat
package import TraceFiles
package import TraceFormat

/// The markers of a session in the order of their offsets, without holding them: of each is known where it is, and its line is
/// read when it is asked for.
///
/// Found in the file, a line is parsed twice: which come first is not known until the offsets of all have been read, and to
/// hold what they say until then would take as much memory as the file. Found by an index, a line is parsed once.
///
/// Memory is what ``LineKeys`` needs to find them in the file, 16 bytes for each that was found by an index, and what a few
/// hundred kilobytes of lines need.
package struct OrderedMarkers: Sendable {
    /// Which markers, and from where their offsets count.
    package struct Choice: Sendable {
        /// Those that have all of these tags, in lower case; categories in either spelling.
        package var tags: [String] = [] {
            didSet { spellings = tags.map(MarkerCategory.spellings(of:)) }
        }
        private var spellings: [[String]] = []
        /// Those that are within, counted from the start of the session.
        package var offsets: ClosedRange<SessionOffset>?
        /// Where in the session offset 0 lies; what precedes it is left out.
        package var origin = SessionOffset.zero
        /// How long what begins there is; what follows it is left out.
        package var length: SessionOffset?
        /// How much earlier everything is to stand, if not before 0.
        package var lead = SessionOffset.zero

        package init() {}

        fileprivate func includes(_ line: CheckedLine) -> Bool {
            guard let offset = line.offset, offsets?.contains(offset) ?? true else { return false }
            return spellings.isEmpty || line.hasTags(spellings)
        }
    }

    private let file: OpenRegularFile?
    private let keys: [LineKey]
    private let origin: SessionOffset
    private let lead: SessionOffset
    /// How many of the chosen markers are before the origin, or behind the length.
    package let outside: Int
    /// How many lines hold no marker.
    package let unreadable: Int

    /// Reads through the file once, on all cores.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size of the file), and O(*n* log *n*) in the number of chosen markers.
    package init(in session: SessionReader, _ choice: Choice = Choice()) throws {
        origin = choice.origin
        lead = choice.lead
        file = try session.directory.openRegularFile(RecordKind.marker.component)
        let lines = try file.map { file in
            try LineKeys(
                of: .marker, in: file, isSettled: session.isSettled(file.identity),
                where: { choice.includes($0) })
        }
        unreadable = lines?.unreadable ?? 0
        var keys = lines?.keys ?? []
        let chosen = keys.count
        keys.removeAll { key in
            guard let offset = SessionOffset(milliseconds: key.offset).distance(from: choice.origin) else {
                return true
            }
            return offset < .zero || choice.length.map { offset > $0 } ?? false
        }
        outside = chosen - keys.count
        keys.sort { ($0.offset, $0.place) < ($1.offset, $1.place) }
        self.keys = keys
    }

    /// Those that are on these lines, in the order in which they come.
    ///
    /// - Parameter isFile: Whether a file is the one on which they stand.
    /// - Returns: Nil if the session has another file now.
    /// - Throws: ``FileError``.
    package init?(in session: SessionReader, at lines: [LineKey], where isFile: (FileIdentity) -> Bool) throws
    {
        file = try session.directory.openRegularFile(RecordKind.marker.component)
        guard let file, isFile(file.identity) else { return nil }
        (keys, origin, lead) = (lines, .zero, .zero)
        (outside, unreadable) = (0, 0)
    }

    package var count: Int { keys.count }

    /// Where each is to stand.
    package var offsets: some RandomAccessCollection<SessionOffset> { keys.lazy.map(offset) }

    private func offset(_ key: LineKey) -> SessionOffset {
        max(.zero, SessionOffset(milliseconds: key.offset).subtracting(origin).subtracting(lead))
    }

    // MARK: - The markers

    /// Writes all of them, on all cores, and hands out the text piece by piece.
    ///
    /// - Parameter take: Gets the pieces in order, by the calling thread.
    /// - Returns: How many entries were written.
    /// - Throws: ``FileError`` with `.changedMeanwhile` if another program overwrites the file; what `take` throws.
    @discardableResult
    package func write(_ format: any MarkerWriter, _ take: ([UInt8]) throws -> Void) throws -> Int {
        var text: [UInt8] = []
        format.begin(&text)
        let entries = format.entries(at: offsets)
        let count = entries?.count ?? keys.count
        let pieceSize = 2048
        try OrderedWork.run((count + pieceSize - 1) / pieceSize) { piece in
            let numbers = piece * pieceSize..<min(count, (piece + 1) * pieceSize)
            return try self.piece(numbers, entries, of: count, format)
        } take: { piece in
            // Nothing is handed out before the first of them has been read.
            try take(text.isEmpty ? piece : text + piece)
            text = []
        }
        format.end(&text)
        try take(text)
        return count
    }

    /// The first so many of them, as they are in the session.
    ///
    /// - Throws: As ``write(_:_:)``.
    package func first(_ count: Int) throws -> [Marker] {
        guard let file else { return [] }
        let reader = try Reader(file)
        return try keys.prefix(count).map { try reader.marker($0).value }
    }

    /// Hands out all of them as they are in the session, one after the other.
    ///
    /// - Throws: As ``write(_:_:)``.
    package func forEach(_ body: (Marker) throws -> Void) throws {
        guard let file else { return }
        let reader = try Reader(file)
        for key in keys { try body(try reader.marker(key).value) }
    }

    private func piece(
        _ numbers: Range<Int>, _ entries: [Int]?, of count: Int, _ format: any MarkerWriter
    ) throws -> [UInt8] {
        guard let file else { return [] }
        let reader = try Reader(file)
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
        private let decoder: RecordDecoder<Marker>
        private let window: LineWindow

        init(_ file: OpenRegularFile) throws {
            decoder = try RecordDecoder(.marker) { Marker($0) }
            window = LineWindow(file)
        }

        func marker(_ key: LineKey) throws -> SessionReader.Found<Marker> {
            guard let found = decoder.decode(try window.line(key)),
                found.value.offset.milliseconds == key.offset
            else { throw window.changed(at: key) }
            return found
        }
    }
}

extension CheckedLine {
    /// Whether the record has all of some tags, each in one of its spellings, in lower case, as tags are.
    fileprivate func hasTags(_ wanted: [[String]]) -> Bool {
        let own = tags?.compactMap { $0.string?.lowercased() } ?? []
        return wanted.allSatisfy { $0.contains(where: own.contains) }
    }
}
