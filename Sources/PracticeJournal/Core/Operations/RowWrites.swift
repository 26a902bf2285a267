internal import RecordFormat

/// A row of the journal is edited, with the records that it stands for.
package struct EditWrite: PracticeWrite {
    private let row: String
    private let patch: RowPatch
    private let known: [PracticeArray: String]

    package init(row: String, _ patch: RowPatch, known: [PracticeArray: String] = [:]) {
        self.row = RowName.plain(row)
        self.patch = patch
        self.known = known
    }

    static let row = Parameter<String>("row", "The id of the row")
    /// As people name it.
    static let namedRow = row.with("The row: its id, the beginning of that, or last")
    static let patch = Parameter<[ArgumentValue.Member]>(
        "patch", "Members and their values; key= clears one", placeholder: "key=value"
    ).with(memberReading: RowPatch.reading)

    init(_ asked: Arguments) throws(ArgumentProblem) {
        do { self.init(row: asked[Self.row], try RowPatch(asked[Self.patch])) } catch {
            throw error.within(Self.patch.declared.name)
        }
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let known = known.isEmpty ? context.linksOfRow(row) : known
        let edit = RowEdit(of: row, patch, entry: context.entry, known: known)
        return try PracticeOutcome(edit.outcome(in: context.document, library: context.library), row)
    }
}

/// A row of the journal is deleted, with the records that it stands for.
package struct DeleteWrite: PracticeWrite {
    private let row: String
    private let known: [PracticeArray: String]

    package init(row: String, known: [PracticeArray: String] = [:]) {
        self.row = RowName.plain(row)
        self.known = known
    }

    static let row = Parameter<String>("row", "The id of the row")

    init(_ asked: Arguments) { self.init(row: asked[Self.row]) }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let known = known.isEmpty ? context.linksOfRow(row) : known
        return try PracticeOutcome(RowDeletion(of: row, known: known).outcome(in: context.document), row)
    }
}

extension PracticeOutcome {
    fileprivate init(_ outcome: RowOutcome, _ row: String) throws(WriteRejection) {
        switch outcome {
        case .changed(let change, let links):
            self = change.isEmpty ? .nothing("nothing to change") : .change(change, links)
        case .noSuchRow: throw WriteRejection("There is no row \(row).")
        case .notEditable: throw WriteRejection("The row \(row) is of a kind that can't be changed.")
        }
    }
}
