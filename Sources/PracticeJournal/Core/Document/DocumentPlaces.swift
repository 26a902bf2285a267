internal import RecordFormat

/// Finds the lines and columns of findings.
struct DocumentPlaces {
    private let file: String
    private let bytes: [UInt8]
    private let outline: DocumentOutline
    /// Where each line begins, the first one left out; counted once a finding needs it.
    private lazy var lineStarts = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }

    init(of bytes: [UInt8], in file: String, _ outline: DocumentOutline) {
        self.file = file
        self.bytes = bytes
        self.outline = outline
    }

    mutating func findings(_ findings: [DocumentFinding]) -> [Finding] {
        findings.map { Finding($0.rule, at: place(of: $0.path), $0.message) }
    }

    /// The nearest thing around it that there is, if there is no such thing in the text.
    private mutating func place(of path: DocumentPath) -> Finding.Place {
        guard let member = outline.member(path.name) else { return Finding.Place(file: file) }
        let elements = outline.elements(of: path.name)
        guard let index = path.index, elements.indices.contains(index) else {
            return path.member == nil
                ? place(at: member.nameRange.lowerBound)
                : place(at: position(of: path.member, in: member.valueRange))
        }
        return place(at: position(of: path.member, in: elements[index]))
    }

    /// Where the last member of that name begins in the object at that place.
    private func position(of member: String?, in range: Range<Int>) -> Int {
        guard let member, let members = try? DocumentOutline.members(of: bytes, in: range) else {
            return range.lowerBound
        }
        return members.last { $0.name == member }?.nameRange.lowerBound ?? range.lowerBound
    }

    private mutating func place(at position: Int) -> Finding.Place {
        // The number of lines that begin up to the position.
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position { low = middle + 1 } else { high = middle }
        }
        let start = low == 0 ? 0 : lineStarts[low - 1]
        return Finding.Place(file: file, line: low + 1, byteOffset: position, column: position - start + 1)
    }
}
