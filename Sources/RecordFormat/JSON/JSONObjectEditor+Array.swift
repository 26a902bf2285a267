extension JSONObjectEditor {
    /// Puts an object at the end of the array that a member holds, laid out as its neighbours are; every other byte stays
    /// as it is.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if there is no such member, or it is not an array.
    package mutating func append(
        _ members: [(name: String, value: JSONText)], toArray name: String
    ) throws(FormatError) {
        guard let text = try text(of: name).map({ Array($0) }), text.first == UInt8(ascii: "[") else {
            throw FormatError(
                .recordInvalid, "\(name) is not an array",
                hint: "fix it in an editor: \"\(name)\": []")
        }
        let inner = text.dropFirst().dropLast()
        guard let last = inner.lastIndex(where: { !Self.isSpace($0) }) else {
            let layout = Layout(outer: try indentation(before: name))
            let element = layout.element(members)
            return try set(name, to: JSONText(verbatim: [text[0]] + element + layout.closing))
        }
        // What precedes the first element precedes the new one too.
        let before = Array(inner.prefix(while: Self.isSpace))
        let indentation = before.contains(newline) ? before.suffix(while: { $0 != newline }) : nil
        let element = Layout(inner: indentation).object(members)
        let comma = [UInt8(ascii: ",")]
        try set(
            name,
            to: JSONText(verbatim: text[...last] + comma + before + element + text[(last + 1)...]))
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
