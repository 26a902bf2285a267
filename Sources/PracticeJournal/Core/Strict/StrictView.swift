package import RecordFormat

/// A document as a reader may have it that fails as a whole on one word that it does not know, and on one member that is
/// missing: what has a known substitute gets it, and the rest is withheld. The document itself stays as it is.
///
/// Source: practice.md, section 2, "The strict form".
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
        }
        self.withheld = withheld
        self.adjusted = adjusted
        bytes = try document.applying(change)
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
            if case .time = member.type {
                if value.number == nil { return nil }
                continue
            }
            guard let problem = member.type.problem(of: value) else { continue }
            if problem.rule == .practiceProgressRange { continue }
            guard problem.rule == .practiceWordUnknown, let word = word(for: value, in: "\(member.name)")
            else {
                return nil
            }
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
