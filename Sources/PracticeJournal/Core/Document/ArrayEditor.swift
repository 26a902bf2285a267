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

    /// The pieces of the array's text. An element that comes has before it what the one behind it has, or else the last one.
    ///
    /// - Parameter layout: For an array without elements.
    /// - Complexity: O(n log n) in the changes; what stays between two of them is one piece.
    func pieces(_ layout: RecordLayout) -> [ArraySlice<UInt8>] {
        var runs: [(lead: ArraySlice<UInt8>, text: ArraySlice<UInt8>, trail: ArraySlice<UInt8>)] = []
        // What is behind the last one is the array's, and stays at its end.
        func inner(behind index: Int) -> ArraySlice<UInt8> {
            index == elements.count - 1 ? [] : trail(of: index)
        }
        func keep(_ range: Range<Int>) {
            guard !range.isEmpty else { return }
            let text = bytes[
                elements[range.lowerBound].lowerBound..<elements[range.upperBound - 1].upperBound]
            runs.append((lead(of: range.lowerBound), text, inner(behind: range.upperBound - 1)))
        }
        var next = 0
        for index in removed.union(replaced.keys).union(inserted.keys).sorted() where index < elements.count {
            keep(next..<index)
            let lead = self.lead(of: index)
            for text in inserted[index] ?? [] { runs.append((lead, text[...], [])) }
            if !removed.contains(index) {
                let text = replaced[index].map { $0[...] } ?? bytes[elements[index]]
                runs.append((lead, text, inner(behind: index)))
            }
            next = index + 1
        }
        keep(next..<elements.count)
        let last = elements.isEmpty ? layout.lead[...] : self.lead(of: elements.count - 1)
        for text in inserted[elements.count] ?? [] { runs.append((last, text[...], [])) }
        guard !runs.isEmpty else { return [Self.brackets] }
        var pieces = [Self.brackets.prefix(1)]
        for (index, run) in runs.enumerated() {
            if index > 0 { pieces.append(Self.comma) }
            pieces += [run.lead, run.text]
            if index < runs.count - 1 { pieces.append(run.trail) }
        }
        pieces.append(elements.isEmpty ? layout.tail[...] : trail(of: elements.count - 1))
        pieces.append(Self.brackets.suffix(1))
        return pieces
    }

    /// The array's text as a whole.
    func text(_ layout: RecordLayout) -> [UInt8] { pieces(layout).reduce(into: []) { $0 += $1 } }

    private static let brackets = Array("[]".utf8)[...]
    private static let comma = Array(",".utf8)[...]

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
