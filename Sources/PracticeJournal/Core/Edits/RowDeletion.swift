/// The deletion of a row of the journal, with the records that it stands for.
///
/// Source: docs/spec/practice.md#a-deletion.
package struct RowDeletion {
    private let id: String
    /// The ids of the records that were written with the row, where they are known.
    private let known: [PracticeArray: String]

    package init(of id: String, known: [PracticeArray: String] = [:]) {
        self.id = id
        self.known = known
    }

    /// - Throws: ``WriteRejection`` if several rows have the id.
    package func outcome(in document: PracticeDocument) throws(WriteRejection) -> RowOutcome {
        guard let index = try document.row(id) else { return .noSuchRow }
        let row = document.rows[index]
        if row.action?.known == .gameBrowse { return .notEditable }
        var change = DocumentChange()
        var outcomes: [LinkOutcome] = []
        let linker = RecordLinker(document)
        for array in row.action?.known.map(RecordLinker.arrays) ?? [] {
            switch linker.link(of: row, in: array, known: known[array]) {
            case .found(let found):
                change.removed.append(DocumentChange.Place(array, found))
                outcomes.append(LinkOutcome(array, .removed(document.ids(of: array)[found])))
            case let link: outcomes.append(LinkOutcome(array, .kept(link.reason ?? "")))
            }
        }
        change.removed.append(DocumentChange.Place(.journalEntries, index))
        return .changed(change, outcomes)
    }
}

extension PracticeDocument {
    /// Where the row of that id is, or nil.
    ///
    /// - Throws: ``WriteRejection`` if several have it: nobody can tell which one is meant.
    func row(_ id: String) throws(WriteRejection) -> Int? {
        let found = indices(of: .journalEntries, id: id.trimmed)
        if found.count > 1 {
            throw WriteRejection(
                "\(found.count) rows have the id \(id); 'trace repair' removes those that are equal, give others different ids."
            )
        }
        return found.first
    }
}
