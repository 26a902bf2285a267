package import RecordFormat

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
        self.init(at: finding.place, rule: finding.rule, finding.message, cure: finding.rule.cure)
    }
}

extension UnresolvedProblem: CustomStringConvertible {
    /// `file:line (byte n): what is wrong [rule-id]`
    package var description: String { "\(place): \(message)" + (rule.map { " [\($0.id)]" } ?? "") }
}

extension Finding {
    /// Whether it only says that a line may still be in transit.
    package var isLineInTransit: Bool { rule == .lineInTransit }

    /// Whether it says that a closed session has no `session_end`.
    package var isSessionEndMissing: Bool { rule == .sessionEndMissing }

    /// Whether a value is not written as the format asks for.
    package var isMisspelling: Bool { rule == .ulidMalformed || rule == .timestampMalformed }

    /// Whether a line follows a later one.
    package var isDisorder: Bool { rule == .timelineOrder || rule == .transcriptOrder }

    /// Whether it only says that its file is a conflict copy.
    package var isConflictCopy: Bool { rule == .conflictCopy }
}

/// Wording shared by the parts of repair.
enum RepairWording {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// How many bytes of byte order marks a text begins with.
    static func lengthOfByteOrderMark(_ bytes: [UInt8]) -> Int {
        var length = 0
        while bytes[length...].starts(with: byteOrderMark) { length += 3 }
        return length
    }
}
