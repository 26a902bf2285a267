package import RecordFormat

/// What a merge added to a document, changed in it and removed from it.
package struct MergeCounts: Sendable {
    /// In the order of the arrays and of the keys; then members of the document's objects, and other members of its top level.
    package let changes: [MergeChange]
    /// What a device has that differs from the journal's, and was not taken (``SyncState/undecided(in:)``).
    package let undecided: [MergeChange]
    /// What a device has that is not a record, and was left out.
    package let leftOut: [Finding]

    /// Of a document that stays as it is.
    init(undecided: [MergeChange] = [], leftOut: [Finding] = []) {
        (changes, self.undecided, self.leftOut) = ([], undecided, leftOut)
    }

    init(
        from before: DocumentValues, to after: DocumentValues, undecided: [MergeChange] = [],
        leftOut: [Finding] = []
    ) {
        self.leftOut = leftOut
        changes = MergeChange.all(from: before, to: after)
        self.undecided = undecided
    }

    /// Records.
    package var added: Int { count(.added) }
    /// Records.
    package var changed: Int { count(.changed) }
    /// Records.
    package var removed: Int { count(.removed) }
    /// Members of the document's objects, and other members of its top level.
    package var members: Int { changes.count { !$0.isOfRecord } }

    package var isZero: Bool { changes.isEmpty }

    private func count(_ kind: MergeChange.Kind) -> Int { changes.count { $0.isOfRecord && $0.kind == kind } }
}
