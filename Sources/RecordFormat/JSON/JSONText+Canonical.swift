extension JSONText {
    /// The one spelling of what a text means: two texts have the same if, and only if, they are equivalent (``isEquivalent(_:_:)``).
    ///
    /// Members are in the order of the bytes of their names, the last of a name counts; there is no white space, each character has its
    /// shortest form, and each number too.
    ///
    /// - Returns: Nil if the text is not JSON.
    package static func canonical(_ text: [UInt8]) -> [UInt8]? {
        try? JSONParser().withParsed(text) { root in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count)
            append(root, to: &bytes)
            return bytes
        }
    }

    /// The spelling of a value within a text.
    package static func canonical(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value.kind {
        case .null: bytes += "null".utf8
        case .boolean: bytes += (value.boolean == true ? "true" : "false").utf8
        case .integer, .number:
            if let integer = value.integer {
                bytes += JSONText(integer).bytes
            } else if let large = value.largeInteger {
                bytes += large.description.utf8
            } else {
                bytes += JSONText(value.number ?? 0).bytes
            }
        case .string: bytes += JSONText(value.string ?? "").bytes
        case .array:
            bytes.append(UInt8(ascii: "["))
            for (index, element) in value.elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(element, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            bytes.append(UInt8(ascii: "{"))
            let members = value.lastMembers.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            for (index, (name, member)) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += JSONText(String(decoding: name, as: UTF8.self)).bytes
                bytes.append(UInt8(ascii: ":"))
                append(member, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}
