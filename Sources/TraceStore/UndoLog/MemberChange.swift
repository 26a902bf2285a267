internal import RecordFormat

/// One member of a document that a write has changed, as the undo log keeps it: JSON texts before and after, nil where it was not
/// there.
package struct MemberChange: Sendable, Hashable {
    /// The array or object of the document that it is in.
    package let container: String
    /// The id of the record; empty for a member of an object.
    package let id: String
    /// Nil for a record as a whole.
    package let member: String?
    package let before: [UInt8]?
    package let after: [UInt8]?

    package init(
        _ container: String, id: String = "", member: String?, before: [UInt8]?, after: [UInt8]?
    ) {
        self.container = container
        self.id = id
        self.member = member
        self.before = before
        self.after = after
    }
}

extension MemberChange {
    var json: JSONText {
        .object { object in
            object.member("in", JSONText(container))
            if !id.isEmpty { object.member("id", JSONText(id)) }
            object.member("member", member.map { JSONText($0) })
            object.member("before", before.map { JSONText(String(decoding: $0, as: UTF8.self)) })
            object.member("after", after.map { JSONText(String(decoding: $0, as: UTF8.self)) })
        }
    }

    init?(_ value: JSONValue) {
        guard let container = value[name: "in"]?.string else { return nil }
        func text(_ name: StaticString) -> [UInt8]? { value[name: name]?.string.map { Array($0.utf8) } }
        self.init(
            container, id: value[name: "id"]?.string ?? "", member: value[name: "member"]?.string,
            before: text("before"), after: text("after"))
    }
}
