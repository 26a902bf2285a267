internal import TraceText

/// Changes single members of a JSON object in its text; every other byte stays as it is: unknown keys, key
/// order, white space and the spelling of numbers.
///
/// Source: docs/spec/format.md#rules-across-lines-and-files, rule 8.
package struct JSONObjectEditor {
    package private(set) var bytes: [UInt8]

    /// - Throws: ``FormatError`` with `.jsonMalformed` when `text` is not one JSON object.
    package init(_ text: [UInt8]) throws(FormatError) {
        bytes = text
        _ = try members()
    }

    /// The names of the members, in their order.
    package func names() throws(FormatError) -> [String] { try members().map(\.name) }

    /// The text of the last member of that name, or nil.
    package func text(of name: String) throws(FormatError) -> ArraySlice<UInt8>? {
        try members().last { $0.name == name }.map { bytes[$0.valueRange] }
    }

    /// Gives the member of that name another value; a new one is put at the end, written as its neighbours
    /// are.
    package mutating func set(_ name: String, to value: JSONText) throws(FormatError) {
        let members = try members()
        if let member = members.last(where: { $0.name == name }) {
            bytes.replaceSubrange(member.valueRange, with: value.bytes)
        } else if let last = members.last {
            bytes.insert(contentsOf: addition(name, value, after: last), at: last.valueRange.upperBound)
        } else if let brace = bytes.firstIndex(of: UInt8(ascii: "{")) {
            bytes.insert(contentsOf: JSONText(name).bytes + [UInt8(ascii: ":")] + value.bytes, at: brace + 1)
        }
    }

    /// Takes the members of that name out, each with one of the commas beside it.
    package mutating func remove(_ name: String) throws(FormatError) {
        while true {
            let members = try members()
            guard let index = members.lastIndex(where: { $0.name == name }) else { return }
            let member = members[index]
            if index > 0 {
                bytes.removeSubrange(members[index - 1].valueRange.upperBound..<member.valueRange.upperBound)
            } else if members.count > 1 {
                bytes.removeSubrange(member.nameRange.lowerBound..<members[1].nameRange.lowerBound)
            } else {
                bytes.removeSubrange(member.nameRange.lowerBound..<member.valueRange.upperBound)
            }
        }
    }

    /// `,` and the new member, with the white space before and after the last one's name.
    private func addition(_ name: String, _ value: JSONText, after last: JSONScanner.Member) -> [UInt8] {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let before = bytes[..<last.nameRange.lowerBound].reversed().prefix(while: isSpace).reversed()
        let colon = bytes[last.nameRange.upperBound..<last.valueRange.lowerBound]
        return [UInt8(ascii: ",")] + before + JSONText(name).bytes + colon + value.bytes
    }

    func members() throws(FormatError) -> [JSONScanner.Member] {
        let found = bytes.withUnsafeBytes { text in
            Result { () throws(JSONScanner.Failure) in try JSONScanner.members(of: text) }
        }
        switch found {
        case .success(let members): return members
        case .failure(let failure):
            throw FormatError(
                .jsonMalformed, "byte \(failure.position): \(failure.reason)",
                cure: "fix the JSON in an editor")
        }
    }
}
