internal import RecordFormat
internal import TraceFormat

/// Where the markers of a session stand that count, and which categories each has: five bytes a marker, in the order of their lines.
struct MarkerOffsets {
    private var offsets: [UInt32] = []
    /// Of each marker, the number of its categories among ``sets``.
    private var kinds: [UInt8] = []
    /// The combinations of categories that there are; the first has none.
    private var sets: [[MarkerCategory]] = [[]]
    private var numbers: [[MarkerCategory]: UInt8] = [[]: 0]
    private var recent = RecentTexts()

    /// How much memory it takes, in bytes.
    var byteCount: Int { offsets.count * (MemoryLayout<UInt32>.size + MemoryLayout<UInt8>.size) }

    /// Adds markers, of each of which a row has the offset and the tags.
    ///
    /// - Returns: False if one of them can't be kept: it stands more than 49 days behind the start of the session, or before it.
    mutating func add(_ rows: Query) throws -> Bool {
        var isWhole = true
        var text: [UInt8] = []
        try rows.forEach { row in
            guard isWhole, let offset = UInt32(exactly: row.int(0)) else {
                isWhole = false
                return
            }
            row.copy(1, into: &text)
            guard let kind = kind(of: text) else {
                isWhole = false
                return
            }
            offsets.append(offset)
            kinds.append(kind)
        }
        return isWhole
    }

    private mutating func kind(of text: [UInt8]) -> UInt8? {
        if text.isEmpty { return 0 }
        if let known = recent[text] { return known }
        let categories = MarkerStrip.categories(in: text)
        if numbers[categories] == nil {
            guard let next = UInt8(exactly: sets.count) else { return nil }
            numbers[categories] = next
            sets.append(categories)
        }
        let kind = numbers[categories] ?? 0
        recent[text] = kind
        return kind
    }

    /// How the markers are spread over a stretch.
    ///
    /// - Complexity: O(markers), a few instructions for each.
    func strip(_ strip: MarkerStrip) -> MarkerStrip {
        let cells = strip.counts.count
        let (first, last) = (strip.offsets.lowerBound.milliseconds, strip.offsets.upperBound.milliseconds)
        var counts = [Int](repeating: 0, count: sets.count * cells)
        // No marker is kept that stands behind 2³² ms.
        if let first = UInt32(exactly: first) {
            let last = UInt32(clamping: last)
            // Exact although it is not divided by whole numbers, which takes ten times as long: a quotient below a whole number is below
            // it by at least a divisor's part, which is more than what is lost by rounding.
            let length =
                Double(strip.offsets.upperBound.subtracting(strip.offsets.lowerBound).milliseconds) + 1
            let scale = UInt64(cells)
            counts.withUnsafeMutableBufferPointer { counts in
                for (offset, kind) in zip(offsets, kinds) where offset >= first && offset <= last {
                    let cell = Int(Double(UInt64(offset - first) * scale) / length)
                    counts[Int(kind) * cells + cell] += 1
                }
            }
        }
        var strip = strip
        strip.add(
            Dictionary(
                uniqueKeysWithValues: sets.enumerated().map { number, categories in
                    (categories, Array(counts[number * cells..<(number + 1) * cells]))
                }))
        return strip
    }
}

/// What the texts mean that came lately. People use few: nearly each is found, without hashing it.
private struct RecentTexts {
    private static let count = 64
    private var places = [(text: [UInt8], kind: UInt8)?](repeating: nil, count: count)

    private static func place(of text: [UInt8]) -> Int {
        // A text ends with a line break, which says nothing.
        let last = text.count > 1 ? text[text.count - 2] : 0
        return (text.count &* 31 &+ Int(text[text.count / 2]) &* 7 &+ Int(last)) & (count - 1)
    }

    /// - Precondition: The text is not empty.
    subscript(text: [UInt8]) -> UInt8? {
        get {
            guard let found = places[Self.place(of: text)], found.text == text else { return nil }
            return found.kind
        }
        set { places[Self.place(of: text)] = newValue.map { (text, $0) } }
    }
}
