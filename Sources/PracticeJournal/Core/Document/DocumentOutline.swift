internal import RecordFormat

/// Where the members of a document, and the elements of its arrays, are in its text.
package struct DocumentOutline: Sendable {
    /// The bytes of a member's name, quotes included, and of its value.
    package struct Member: Sendable {
        let name: String
        let nameRange: Range<Int>
        package let valueRange: Range<Int>
    }

    /// In the order of the text, duplicates included.
    let members: [Member]
    private let elements: [String: [Range<Int>]]

    /// - Throws: ``JSONScanner/Failure`` if the text is not one object, which what libsimdjson has read is.
    init(of bytes: [UInt8], from start: Int) throws(JSONScanner.Failure) {
        let found = bytes.withUnsafeBytes { text in
            Result { () throws(JSONScanner.Failure) in
                try JSONScanner.outline(of: UnsafeRawBufferPointer(rebasing: text[start...]))
            }
        }
        var members: [Member] = []
        var elements: [String: [Range<Int>]] = [:]
        for (member, values) in try found.get() {
            members.append(Member(member, shiftedBy: start))
            // The last of a name counts, and takes the place of those before it.
            elements[member.name] = values.map { start == 0 ? $0 : $0.map { $0.shifted(by: start) } }
        }
        self.members = members
        self.elements = elements
    }

    /// The last member of that name.
    package func member(_ name: String) -> Member? { members.last { $0.name == name } }

    /// Where the elements of an array of the top level are; none if there is no such array.
    package func elements(of name: String) -> [Range<Int>] { elements[name] ?? [] }

    /// The members of the object at that place.
    ///
    /// - Parameter isParsed: As for ``JSONScanner/members(of:isParsed:)``: of a document that was read.
    static func members(
        of bytes: [UInt8], in range: Range<Int>, isParsed: Bool = false
    ) throws(JSONScanner.Failure) -> [Member] {
        let found = bytes.withUnsafeBytes { text in
            Result { () throws(JSONScanner.Failure) in
                try JSONScanner.members(
                    of: UnsafeRawBufferPointer(rebasing: text[range]), isParsed: isParsed)
            }
        }
        return try found.get().map { Member($0, shiftedBy: range.lowerBound) }
    }
}

extension DocumentOutline.Member {
    fileprivate init(_ member: JSONScanner.Member, shiftedBy distance: Int) {
        self.init(
            name: member.name, nameRange: member.nameRange.shifted(by: distance),
            valueRange: member.valueRange.shifted(by: distance))
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range { lowerBound + distance..<upperBound + distance }
}
