package import RecordFormat

/// A document as a reader may have it that fails as a whole on one word that it does not know, and on one member that is
/// missing: what has a known substitute gets it, and the rest is withheld. Settings get what the app takes where they are missing. The
/// document itself stays as it is.
///
/// Source: docs/spec/practice.md#the-strict-form.
package struct StrictView {
    /// A record that is withheld, or a member of one that gets another word.
    package struct Difference: Sendable, Equatable {
        package let array: PracticeArray
        /// As it is spelled; nil if the record has none.
        package let id: String?
        /// The member that gets another word; nil if the record is withheld.
        package let member: String?
    }

    /// The text for the reader.
    package let bytes: [UInt8]
    package let withheld: [Difference]
    package let adjusted: [Difference]

    /// - Throws: ``FormatError`` if the document can't be parsed again, which it can.
    package init(of document: PracticeDocument) throws(FormatError) {
        var withheld: [Difference] = []
        var adjusted: [Difference] = []
        var change = DocumentChange()
        try document.withRoot { root in
            for array in PracticeArray.allCases {
                let reader = StrictReader(array)
                for (index, record) in (root[name: array.name]?.elements ?? root.elements).enumerated() {
                    let id = record[name: "id"]?.string
                    guard let adjustments = reader.adjustments(of: record) else {
                        withheld.append(Difference(array: array, id: id, member: nil))
                        change.removed.append(DocumentChange.Place(array, index))
                        continue
                    }
                    guard !adjustments.isEmpty else { continue }
                    adjusted += adjustments.map { Difference(array: array, id: id, member: $0.name) }
                    change.replaced.append(
                        DocumentChange.Replacement(
                            DocumentChange.Place(array, index),
                            adjustments.map { ($0.name, JSONText($0.word)) }))
                }
            }
            for object in PracticeSettingsObject.allCases { change.adjust(object, in: root) }
            for map in PracticeMap.allCases { change.adjust(map, in: root) }
        }
        self.withheld = withheld
        self.adjusted = adjusted
        bytes = try document.applying(change)
    }
}

extension DocumentChange {
    /// Gives settings that a strict reader can't read another value, or takes them away if they need not be there.
    fileprivate mutating func adjust(_ object: PracticeSettingsObject, in root: JSONValue) {
        guard let settings = root[name: object.name], !settings.isNull else { return }
        // Without the object the app takes what it takes at its first start.
        guard settings.kind == .object else { return withdrawn.append(object.rawValue) }
        for member in object.declaration {
            let value = settings[name: member.name].flatMap { $0.isNull ? nil : $0 }
            if value.map(member.type.isReadable) ?? !member.isRequired { continue }
            let name = "\(member.name)"
            let substitute = object.defaults.first { $0.name == name }?.value
            members.append(MemberChange(object.rawValue, name, substitute))
        }
    }

    /// Takes the games away whose value a strict reader can't read.
    fileprivate mutating func adjust(_ map: PracticeMap, in root: JSONValue) {
        guard let games = root[name: map.name], !games.isNull else { return }
        guard games.kind == .object else { return withdrawn.append(map.rawValue) }
        for (game, value) in games.members where !map.valueType.isReadable(value) {
            members.append(MemberChange(map.rawValue, String(decoding: game, as: UTF8.self), nil))
        }
    }
}

/// What a strict reader makes of the records of an array.
private struct StrictReader {
    private let array: PracticeArray
    private let declaration: [MemberDeclaration]

    init(_ array: PracticeArray) {
        self.array = array
        declaration = array.declaration
    }

    /// The members that need another word; nil if the reader would fail on the record.
    func adjustments(of record: JSONValue) -> [(name: String, word: String)]? {
        guard record.kind == .object else { return nil }
        var adjustments: [(String, String)] = []
        for member in declaration {
            guard let value = record[name: member.name], !value.isNull else {
                if member.isRequired { return nil }
                continue
            }
            if member.type.isReadable(value) { continue }
            guard member.type.problem(of: value)?.rule == .practiceWordUnknown,
                let word = word(for: value, in: "\(member.name)")
            else { return nil }
            adjustments.append(("\(member.name)", word))
        }
        return adjustments
    }

    /// The known word that stands for another one; nil if there is none.
    private func word(for value: JSONValue, in member: String) -> String? {
        switch (array, member) {
        case (.noteEntries, "category"), (.journalEntries, "noteCategory"):
            value.string == "mechanics" ? NoteCategory.general.rawValue : nil
        case (.customGroups, "type"): GroupType.custom.rawValue
        default: nil
        }
    }
}
