/// Puts elements into an array's text, changes and removes some; the bytes of the others, and what is around them, stay.
struct ArrayEditor {
    private let bytes: [UInt8]
    private let range: Range<Int>
    private let elements: [Range<Int>]
    /// By the number of the element.
    private var replaced: [Int: [UInt8]] = [:]
    private var removed: Set<Int> = []
    /// In front of the element of that number, or at the end; of one place in the order in which they came.
    private var inserted: [Int: [[UInt8]]] = [:]

    /// - Parameters:
    ///   - range: Where the array is, brackets included.
    ///   - elements: Where its elements are.
    init(_ bytes: [UInt8], _ range: Range<Int>, _ elements: [Range<Int>]) {
        self.bytes = bytes
        self.range = range
        self.elements = elements
    }

    mutating func replace(_ index: Int, with text: [UInt8]) { replaced[index] = text }

    mutating func remove(_ index: Int) { removed.insert(index) }

    mutating func insert(_ text: [UInt8], before index: Int) { inserted[index, default: []].append(text) }

    /// The array's text. An element that comes has before it what the one behind it has, or else the last one.
    ///
    /// - Parameter layout: For an array without elements.
    func text(_ layout: RecordLayout) -> [UInt8] {
        var pieces: [(lead: ArraySlice<UInt8>, text: ArraySlice<UInt8>, trail: ArraySlice<UInt8>)] = []
        var lead = layout.lead[...]
        for (index, element) in elements.enumerated() {
            lead = self.lead(of: index)
            for text in inserted[index] ?? [] { pieces.append((lead, text[...], [])) }
            guard !removed.contains(index) else { continue }
            // What is behind the last one is the array's, and stays at its end.
            let trail = index == elements.count - 1 ? [] : trail(of: index)
            pieces.append((lead, replaced[index].map { $0[...] } ?? bytes[element], trail))
        }
        for text in inserted[elements.count] ?? [] { pieces.append((lead, text[...], [])) }
        guard !pieces.isEmpty else { return Array("[]".utf8) }
        var text = [UInt8(ascii: "[")]
        text.reserveCapacity(range.count)
        for (index, piece) in pieces.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += piece.lead
            text += piece.text
            if index < pieces.count - 1 { text += piece.trail }
        }
        text += elements.isEmpty ? layout.tail[...] : trail(of: elements.count - 1)
        text.append(UInt8(ascii: "]"))
        return text
    }

    /// What is between an element and the comma or bracket before it.
    func lead(of index: Int) -> ArraySlice<UInt8> {
        let end = elements[index].lowerBound
        let start = index == 0 ? range.lowerBound + 1 : elements[index - 1].upperBound
        let gap = bytes[start..<end]
        return index == 0 ? gap : gap.drop { $0 != UInt8(ascii: ",") }.dropFirst()
    }

    /// What is between an element and the comma or bracket behind it.
    func trail(of index: Int) -> ArraySlice<UInt8> {
        guard index < elements.count - 1 else {
            return bytes[elements[index].upperBound..<range.upperBound - 1]
        }
        return bytes[elements[index].upperBound..<elements[index + 1].lowerBound].prefix {
            $0 != UInt8(ascii: ",")
        }
    }
}
