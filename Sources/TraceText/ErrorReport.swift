/// The parts of an error, and their rendering: for people, for a log; for programs by `JSONText`'s object members.
public struct ErrorReport: Sendable, Hashable {
    /// The stable kebab-case name of what kind of failure it is; nil if there is none to match on.
    public var code: String?
    /// Where it is, as people read it, visible; nil if it is in no one place.
    public var place: String?
    /// What is wrong: no trailing period.
    public var message: String
    /// What to do about it, as an instruction.
    public var hint: String?
    /// Whether people are shown the code, too, to search for.
    public var isCodeShown: Bool
    /// A report of its parts.
    public init(
        code: String? = nil, place: String? = nil, message: String, hint: String? = nil,
        isCodeShown: Bool = true
    ) {
        self.code = code
        self.place = place
        self.message = message
        self.hint = hint
        self.isCodeShown = isCodeShown
    }

    /// *where: what*, with the code in brackets.
    public var headline: String {
        let shownCode = isCodeShown ? code.map { " [\($0)]" } : nil
        return (place.map { "\($0): " } ?? "") + message + (shownCode ?? "")
    }

    /// As a terminal shows it: the hint indented on a line of its own.
    public var text: String { headline + (hint.map { "\n  hint: \($0)" } ?? "") }

    /// As a log has it: the hint on the same line.
    public var logText: String { headline + (hint.map { "; hint: \($0)" } ?? "") }
}

/// An error that keeps its parts apart until they are shown, in one way for all modules.
///
/// Callers match on the code, never on the wording.
///
/// Source: style.md, "Errors"; design.md, law 6.
public protocol StructuredError: Error, CustomStringConvertible {
    /// What it tells.
    var report: ErrorReport { get }
}

extension StructuredError {
    /// As a terminal shows it.
    public var description: String { report.text }
}

extension Error {
    /// What any error tells: of one without parts, its description.
    package var anyReport: ErrorReport {
        (self as? any StructuredError)?.report ?? ErrorReport(message: "\(self)")
    }
}
