/// What of a document is meant: the whole, a member, an element of an array, or a member of one of these.
package struct DocumentPath: Sendable, Hashable, CustomStringConvertible {
    /// Of the top level; empty for the document as a whole.
    var name: String
    /// From 0.
    var index: Int?
    var member: String?

    init(_ name: String = "", _ index: Int? = nil, _ member: String? = nil) {
        self.name = name
        self.index = index
        self.member = member
    }

    init(_ array: PracticeArray, _ index: Int, _ member: StaticString? = nil) {
        self.init(array.rawValue, index, member.map { "\($0)" })
    }

    /// `journalEntries[0].timestamp`
    package var description: String {
        name + (index.map { "[\($0)]" } ?? "") + (member.map { name.isEmpty ? $0 : ".\($0)" } ?? "")
    }
}
