internal import TraceText

extension JSONObjectEditor {
    /// Puts an object at the end of the array that a member holds, laid out as its neighbours are; every other byte stays
    /// as it is.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if there is no such member, or it is not an array.
    package mutating func append(
        _ members: [(name: String, value: JSONText)], toArray name: String
    ) throws(FormatError) {
        let text = try array(name)
        let inner = text.dropFirst().dropLast()
        guard let last = inner.lastIndex(where: { !Self.isSpace($0) }) else {
            let layout = Layout(outer: try indentation(before: name))
            let element = layout.element(members)
            return try set(name, to: JSONText(verbatim: [text[0]] + element + layout.closing))
        }
        let (before, layout) = Self.layout(of: inner)
        let element = layout.object(members)
        let comma = [UInt8(ascii: ",")]
        try set(
            name,
            to: JSONText(verbatim: text[...last] + comma + before + element + text[(last + 1)...]))
    }

    /// Puts an object before an element of the array that a member holds, in the same way.
    ///
    /// - Parameter index: Of an element that is there.
    /// - Throws: As ``append(_:toArray:)``.
    package mutating func insert(
        _ members: [(name: String, value: JSONText)], intoArray name: String, before index: Int
    ) throws(FormatError) {
        let text = try array(name)
        let element = Self.layout(of: text.dropFirst().dropLast()).layout.object(members)
        try insert(element, into: text, name, at: elements(of: name)[index].lowerBound)
    }

    /// Moves an element of the array that a member holds before another one; every other byte stays as it is.
    ///
    /// - Parameters:
    ///   - source: The index of the element.
    ///   - destination: That of one before it.
    /// - Throws: As ``append(_:toArray:)``.
    package mutating func moveElement(
        ofArray name: String, from source: Int, before destination: Int
    ) throws(FormatError) {
        var text = try array(name)
        let elements = try elements(of: name)
        let element = Array(text[elements[source]])
        text.removeSubrange(elements[source - 1].upperBound..<elements[source].upperBound)
        try insert(element, into: text, name, at: elements[destination].lowerBound)
    }

    private mutating func insert(
        _ element: [UInt8], into text: [UInt8], _ name: String, at place: Int
    ) throws(FormatError) {
        let before = Self.layout(of: text.dropFirst().dropLast()).before
        try set(
            name,
            to: JSONText(verbatim: text[..<place] + element + [UInt8(ascii: ",")] + before + text[place...]))
    }

    /// The text of a member that is an array.
    private func array(_ name: String) throws(FormatError) -> [UInt8] {
        guard let text = try text(of: name).map({ Array($0) }), text.first == UInt8(ascii: "[") else {
            throw FormatError(
                .recordInvalid, "\(name) is not an array",
                cure: "fix it in an editor: \"\(name)\": []")
        }
        return text
    }

    /// Where the elements of the array that a member holds are in its text.
    ///
    /// - Throws: As ``append(_:toArray:)``.
    package func elements(of name: String) throws(FormatError) -> [Range<Int>] {
        let text = try array(name)
        let found = text.withUnsafeBytes { text in
            Result { () throws(JSONScanner.Failure) in try JSONScanner.elements(of: text) }
        }
        switch found {
        case .success(let elements): return elements
        case .failure(let failure):
            throw FormatError(.jsonMalformed, failure.reason, cure: "fix the JSON in an editor")
        }
    }

    /// What precedes the first element precedes a new one too, and says how that is laid out.
    private static func layout(of inner: ArraySlice<UInt8>) -> (before: [UInt8], layout: Layout) {
        let before = Array(inner.prefix(while: isSpace))
        let indentation = before.contains(newline) ? before.suffix(while: { $0 != newline }) : nil
        return (before, Layout(inner: indentation))
    }

    /// The white space at the beginning of the line on which a member stands; nil if others precede it on that line.
    private func indentation(before name: String) throws(FormatError) -> [UInt8]? {
        guard let start = try members().last(where: { $0.name == name })?.nameRange.lowerBound else {
            return nil
        }
        let space = Array(bytes[..<start].reversed().prefix(while: Self.isSpace).reversed())
        return space.contains(newline) ? space.suffix(while: { $0 != newline }) : nil
    }

    fileprivate static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// How an element is written: on one line, or a member a line.
    private struct Layout {
        /// What precedes the element, and before the bracket that ends the array; nil for one line.
        let inner: [UInt8]?
        let outer: [UInt8]?

        /// For an array without elements in an object whose members are indented like this.
        init(outer: [UInt8]?) {
            self.outer = outer
            inner = outer.map { $0 + Self.step($0) }
        }

        init(inner: [UInt8]?) {
            outer = nil
            self.inner = inner
        }

        var closing: [UInt8] { (outer.map { [newline] + $0 } ?? []) + [UInt8(ascii: "]")] }

        func element(_ members: [(name: String, value: JSONText)]) -> [UInt8] {
            (inner.map { [newline] + $0 } ?? []) + object(members)
        }

        func object(_ members: [(name: String, value: JSONText)]) -> [UInt8] {
            guard let inner else {
                return JSONText.object { for (name, value) in members { $0.member(name, value) } }.bytes
            }
            let lines = members.map { name, value in
                [newline] + inner + Self.step(inner) + JSONText(name).bytes + Array(": ".utf8) + value.bytes
            }
            return [UInt8(ascii: "{")] + Array(lines.joined(separator: [UInt8(ascii: ",")])) + [newline]
                + inner
                + [UInt8(ascii: "}")]
        }

        /// What a level is indented by more than the one around it.
        private static func step(_ indentation: [UInt8]) -> [UInt8] {
            indentation.contains(0x09) ? [0x09] : [0x20, 0x20]
        }
    }
}

private let newline = UInt8(ascii: "\n")

extension [UInt8] {
    /// The bytes behind the last one that does not satisfy the condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> [UInt8] {
        Array(reversed().prefix(while: condition).reversed())
    }
}
