package import RecordFormat

/// What an edit or a deletion of a row does with a record that belongs to it.
package struct LinkOutcome: Sendable, Equatable {
    let array: PracticeArray
    let effect: Effect

    /// Ids are as they are spelled; a record may have none.
    enum Effect: Sendable, Equatable {
        case changed(String?)
        case removed(String?)
        case added(String)
        /// Nothing is done with it, for this reason.
        case kept(String)
    }

    init(_ array: PracticeArray, _ effect: Effect) {
        self.array = array
        self.effect = effect
    }

    package var json: JSONText {
        JSONText.object { text in
            text.member("array", array.rawValue)
            switch effect {
            case .changed(let id): text.member("changed", id.map { JSONText($0) } ?? .null)
            case .removed(let id): text.member("removed", id.map { JSONText($0) } ?? .null)
            case .added(let id): text.member("added", id)
            case .kept(let reason): text.member("kept", reason)
            }
        }
    }
}

/// What an edit or a deletion of a row comes to.
package enum RowOutcome {
    case changed(DocumentChange, [LinkOutcome])
    /// No row has the id.
    case noSuchRow
    /// Rows of this kind can't be edited or deleted.
    case notEditable
}
