/// A single change that a repair makes, and the reason that allows it.
package struct Fix: Sendable, Hashable {
    /// The kind of fix; the raw value is its stable name.
    package enum Kind: String, Sendable, CaseIterable {
        case byteOrderMark = "byte-order-mark"
        case tornLine = "torn-line"
        case missingNewline = "missing-newline"
        case conflictCopy = "conflict-copy"
        case path = "path"
        case droppedField = "dropped-field"
        case utcTime = "utc-time"
        case idCase = "id-case"
        case lineOrder = "line-order"
        case sessionEnd = "session-end"
        case reviewAudio = "review-audio"
        case unfinishedWrite = "unfinished-write"
        case olderShape = "older-shape"
        case timeUnit = "time-unit"
        case blankKey = "blank-key"
        case repeatedRecord = "repeated-record"
    }

    package let kind: Kind
    /// The file that is repaired, by its (escaped) name.
    package let file: String
    /// What is done and why, for a person.
    package let reason: String

    package init(_ kind: Kind, in file: String, _ reason: String) {
        self.kind = kind
        self.file = file
        self.reason = reason
    }
}

extension Fix: CustomStringConvertible {
    /// `file: what is done [name]`
    package var description: String { "\(file): \(reason) [\(kind.rawValue)]" }
}

/// A problem that needs manual repair: what is wrong, and the cure.
package struct UnresolvedProblem: Sendable, Hashable {
    package let place: Finding.Place
    /// Nil if no rule of the format is broken.
    package let rule: Rule?
    package let message: String
    package let cure: String

    package init(at place: Finding.Place, rule: Rule? = nil, _ message: String, cure: String) {
        self.place = place
        self.rule = rule
        self.message = message
        self.cure = cure
    }

    package init(_ finding: Finding) {
        self.init(at: finding.place, rule: finding.rule, finding.message, cure: finding.rule.cureText)
    }
}

extension UnresolvedProblem: CustomStringConvertible {
    /// `file:line (byte n): what is wrong [rule-id]`
    package var description: String { "\(place): \(message)" + (rule.map { " [\($0.id)]" } ?? "") }
}
