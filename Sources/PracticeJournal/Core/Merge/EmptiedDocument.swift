/// Tells a document of which most is gone: what an app leaves that could not read its own state.
///
/// Source: docs/spec/practice.md#an-emptied-document.
package enum EmptiedDocument: Equatable, Sendable {
    /// No record of the base is there any more.
    case everything
    /// Of this array more than 20 records, and more than half, are gone.
    case array(PracticeArray)

    /// Nil if a document may be merged.
    ///
    /// - Parameters:
    ///   - base: What the device had.
    ///   - values: What it has.
    package init?(from base: DocumentValues, to values: DocumentValues) {
        var stays = false
        var emptied: PracticeArray?
        for array in PracticeArray.allCases {
            let (before, after) = (base.records[array] ?? [:], values.records[array] ?? [:])
            let gone = before.keys.count { after[$0] == nil }
            if gone < before.count { stays = true }
            if gone > 20, gone * 2 > before.count, emptied == nil { emptied = array }
        }
        if !stays, !base.isWithoutRecords {
            self = .everything
        } else if let emptied {
            self = .array(emptied)
        } else {
            return nil
        }
    }

    /// For people: what is gone.
    var message: String {
        switch self {
        case .everything: "none of the records that the device had is there any more"
        case .array(let array): "more than half of \(array.rawValue) is gone"
        }
    }
}
