package import RecordFormat

/// A member of a record as somebody has seen it, and as they want it: JSON texts, nil where there is none.
package struct MemberWish: Sendable, Hashable {
    package let name: String
    let was: [UInt8]?
    package let wanted: [UInt8]?

    package init(name: String, was: [UInt8]?, wanted: [UInt8]?) {
        self.name = name
        self.was = was
        self.wanted = wanted
    }
}

/// A member that is neither as somebody has seen it nor as they want it; JSON texts, nil where there is none.
public struct MemberConflict: Sendable, Hashable {
    /// Its name.
    public let name: String
    private let was: [UInt8]?
    private let now: [UInt8]?
    private let wanted: [UInt8]?

    package init(_ name: String, was: [UInt8]? = nil, now: [UInt8]?, wanted: [UInt8]?) {
        self.name = name
        self.was = was
        self.now = now
        self.wanted = wanted
    }

    /// A wish that does not go with what is there.
    package init(_ wish: MemberWish, now: [UInt8]?) {
        self.init(wish.name, was: wish.was, now: now, wanted: wish.wanted)
    }

    /// As queue and HTTP have it.
    package var json: JSONText {
        .object { object in
            object.member("member", name)
            for (name, text) in [("was", was), ("now", now), ("set", wanted)] {
                object.member(name, text.map { JSONText(verbatim: $0) } ?? .null)
            }
        }
    }

    /// Reads what ``json`` has written.
    package init?(_ value: JSONValue) {
        guard let name = value[name: "member"]?.string else { return nil }
        func text(_ member: JSONValue?) -> [UInt8]? {
            member.flatMap { $0.isNull ? nil : JSONText.canonical($0) }
        }
        self.init(
            name, was: text(value[name: "was"]), now: text(value[name: "now"]),
            wanted: text(value[name: "set"]))
    }
}

extension [MemberWish] {
    /// Which of them are to be set in an object, and which do not go with what it has. The rest is there already.
    ///
    /// What is empty counts as missing: readers show both alike.
    package func compared(
        with object: JSONObjectEditor
    ) throws(FormatError) -> (due: [MemberWish], conflicts: [MemberConflict]) {
        var due: [MemberWish] = []
        var conflicts: [MemberConflict] = []
        for wish in self {
            let now = try object.text(of: wish.name).map { [UInt8]($0) }
            if Self.isSame(now, wish.wanted) { continue }
            if Self.isSame(now, wish.was) {
                due.append(wish)
            } else {
                conflicts.append(MemberConflict(wish, now: now))
            }
        }
        return (due, conflicts)
    }

    private static func isSame(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
        let texts = [one, other].map { text in
            text.flatMap { ["null", "\"\"", "[]"].contains(String(decoding: $0, as: UTF8.self)) ? nil : $0 }
        }
        guard let left = texts[0], let right = texts[1] else { return texts[0] == nil && texts[1] == nil }
        return left == right || JSONText.isEquivalent(left, right)
    }
}

extension JSONObjectEditor {
    /// Gives members the values that are wanted.
    package mutating func set(_ wishes: [MemberWish]) throws(FormatError) {
        for wish in wishes {
            if let wanted = wish.wanted {
                try set(wish.name, to: JSONText(verbatim: wanted))
            } else {
                try remove(wish.name)
            }
        }
    }
}

extension JSONObjectText {
    /// Adds what was changed meanwhile, if anything was.
    package mutating func member(_ conflicts: [MemberConflict]) {
        if !conflicts.isEmpty { member("conflicts", .array(conflicts.map(\.json))) }
    }
}
