internal import TraceText

/// Where positions within a line's text are in the file.
///
/// What costs anything is done when a finding asks for it, and once: the members are scanned for once, and the line
/// breaks of a document, which is one "line" to the checker, are counted on from where the counting stopped. So a line
/// with a million findings is read as often as one with a single finding.
struct TextPlaces {
    private let file: String
    private let line: Line
    /// Whether the text may hold line breaks.
    private let spansLines: Bool
    private var members: [JSONScanner.Member]?
    private var nested: NestedItem?
    /// Line breaks before `counted`, and where the line begins that `counted` is in.
    private var breaks = 0
    private var lineStart: Int
    private var counted = 0

    init(of line: Line, in file: String, spansLines: Bool) {
        self.file = file
        self.line = line
        self.spansLines = spansLines
        // The first line begins with the file, even where a byte order mark has been cut off its text.
        lineStart = line.number == 1 ? -line.offset : 0
    }

    /// The line as a whole.
    var whole: Finding.Place { Finding.Place(file: file, line: line.number, byteOffset: line.offset) }

    /// The place of a position, which should not be before one that was asked for earlier.
    mutating func place(at position: Int) -> Finding.Place {
        if spansLines { count(upTo: position) }
        return Finding.Place(
            file: file, line: line.number + breaks, byteOffset: line.offset + position,
            column: position - lineStart + 1)
    }

    /// The name of the object's member of that number, from 0.
    mutating func name(of number: Int) -> Finding.Place {
        member(number).map { place(at: $0.nameRange.lowerBound) } ?? whole
    }

    /// The value of the object's member of that number, from 0.
    mutating func value(of number: Int) -> Finding.Place {
        member(number).map { place(at: $0.valueRange.lowerBound) } ?? whole
    }

    /// An element of the array that is the value of the object's member of that number; both count from 0.
    mutating func element(_ index: Int, of number: Int) -> Finding.Place {
        item(index, of: number).map { place(at: $0.start) } ?? whole
    }

    /// The name of a member of the object that is such an element.
    mutating func name(of inner: Int, inElement index: Int, of number: Int) -> Finding.Place {
        innerMember(inner, index, number).map { place(at: $0.start + $0.member.nameRange.lowerBound) }
            ?? whole
    }

    /// The value of a member of the object that is such an element.
    mutating func value(of inner: Int, inElement index: Int, of number: Int) -> Finding.Place {
        innerMember(inner, index, number).map { place(at: $0.start + $0.member.valueRange.lowerBound) }
            ?? whole
    }

    /// The array that was asked for last, and the element of it.
    private struct NestedItem {
        let number: Int
        /// Relative to the line.
        let elements: [Range<Int>]
        let index: Int
        /// Relative to the element.
        let members: [JSONScanner.Member]
        let start: Int
    }

    private mutating func innerMember(_ inner: Int, _ index: Int, _ number: Int) -> (
        start: Int, member: JSONScanner.Member
    )? {
        guard let item = item(index, of: number), item.members.indices.contains(inner) else { return nil }
        return (item.start, item.members[inner])
    }

    private mutating func item(_ index: Int, of number: Int) -> NestedItem? {
        if let nested, nested.number == number, nested.index == index { return nested }
        guard let elements = elements(of: number), elements.indices.contains(index) else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: line.content[elements[index]])
        nested = NestedItem(
            number: number, elements: elements, index: index,
            members: (try? JSONScanner.members(of: text)) ?? [],
            start: elements[index].lowerBound)
        return nested
    }

    private mutating func elements(of number: Int) -> [Range<Int>]? {
        if let nested, nested.number == number { return nested.elements }
        guard let range = member(number)?.valueRange else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: line.content[range])
        return try? JSONScanner.elements(of: text).map {
            $0.lowerBound + range.lowerBound..<$0.upperBound + range.lowerBound
        }
    }

    private mutating func member(_ number: Int) -> JSONScanner.Member? {
        let members = members ?? (try? JSONScanner.members(of: line.content)) ?? []
        self.members = members
        return members.indices.contains(number) ? members[number] : nil
    }

    private mutating func count(upTo position: Int) {
        for index in counted..<max(counted, position) where line.content[index] == 0x0A {
            breaks += 1
            lineStart = index + 1
        }
        counted = max(counted, position)
    }
}
