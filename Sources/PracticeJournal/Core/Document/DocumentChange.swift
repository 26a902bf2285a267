package import RecordFormat

/// What a write does to a document: which records come, change and go, and which members of its objects.
package struct DocumentChange: Sendable {
    /// A record that is there already.
    package struct Place: Hashable, Sendable {
        package let array: PracticeArray
        /// In the array. An id would not do: two records may have the same.
        package let index: Int

        package init(_ array: PracticeArray, _ index: Int) {
            self.array = array
            self.index = index
        }
    }

    /// Members of a record that get another value; nil takes one away.
    package struct Replacement {
        package let place: Place
        let members: [(name: String, value: JSONText?)]

        package init(_ place: Place, _ members: [(name: String, value: JSONText?)]) {
            self.place = place
            self.members = members
        }
    }

    /// A member of one of the objects of the top level that gets another value; nil takes it away.
    package struct MemberChange {
        let object: String
        let member: String
        let value: JSONText?
        /// Whether it says what an app takes without it anyway, and is written for an app that requires it.
        let isImplied: Bool

        package init(_ object: String, _ member: String, _ value: JSONText?, isImplied: Bool = false) {
            self.object = object
            self.member = member
            self.value = value
            self.isImplied = isImplied
        }
    }

    package var added: [NewRecord] = []
    /// At most one of each record.
    package var replaced: [Replacement] = []
    package var removed: [Place] = []
    package var members: [MemberChange] = []
    /// Members of the top level that are neither arrays of records nor objects; nil takes one away.
    var others: [(name: String, value: JSONText?)] = []
    /// Arrays and objects of the top level that go as a whole.
    var withdrawn: [String] = []
    /// The keys of groups in the order in which they stand afterwards; nil where it is not what is changed.
    var groupOrder: [String]?

    package init() {}

    /// Whether there is nothing to change.
    package var isEmpty: Bool {
        added.isEmpty && replaced.isEmpty && removed.isEmpty && members.isEmpty && others.isEmpty
            && withdrawn.isEmpty && groupOrder == nil
    }
}
