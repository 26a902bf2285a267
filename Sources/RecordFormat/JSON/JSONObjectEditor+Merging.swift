internal import TraceText

extension JSONObjectEditor {
    /// Takes over what two other versions of the object have otherwise, but for members that differ here from the older of them.
    ///
    /// - Parameter kept: Members that stay as they are.
    /// - Throws: ``FormatError`` with `.jsonMalformed` if one of the texts is not a JSON object.
    package mutating func takeOver(
        from old: [UInt8], to new: [UInt8], but kept: Set<String>
    ) throws(FormatError) {
        let before = try JSONObjectEditor(old)
        let after = try JSONObjectEditor(new)
        var names: [String] = []
        for member in try before.members() + after.members() where !names.contains(member.name) {
            names.append(member.name)
        }
        for name in names where !kept.contains(name) {
            let (was, wanted) = (try before.value(name), try after.value(name))
            guard !Self.isSame(was, wanted), Self.isSame(was, try value(name)) else { continue }
            if let wanted { try set(name, to: JSONText(verbatim: wanted)) } else { try remove(name) }
        }
    }

    private func value(_ name: String) throws(FormatError) -> [UInt8]? {
        try text(of: name).map { Array($0) }
    }

    private static func isSame(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one == other || JSONText.isEquivalent(one, other)
    }
}
