/// The parts of an error, and their rendering: for people, for a log; for programs by `JSONText`'s object members.
public struct ErrorReport: Sendable, Hashable {
    /// The stable kebab-case name of what kind of failure it is; nil if there is none to match on.
    public var code: String?
    /// Where it is, as people read it, visible; nil if it is in no one place.
    public var place: String?
    /// The option of a command, or parameter of a request, that the message is about and begins with; nil if it begins otherwise.
    public var argument: String?
    /// What is wrong: no trailing period.
    public var message: String
    /// What to do about it.
    public var cure: Cure?
    /// Whether people are shown the code, too, to search for.
    public var isCodeShown: Bool
    /// A report of its parts.
    public init(
        code: String? = nil, place: String? = nil, argument: String? = nil, message: String,
        cure: Cure? = nil,
        isCodeShown: Bool = true
    ) {
        self.code = code
        self.place = place
        self.argument = argument
        self.message = message
        self.cure = cure
        self.isCodeShown = isCodeShown
    }

    /// *where: what*, with the code in brackets: at the end of the first line, for what a list below it ends with may be anybody's words.
    public var headline: String {
        let shownCode = isCodeShown ? code.map { " [\($0)]" } : nil
        var end = message.firstIndex(of: "\n") ?? message.endIndex
        if end < message.endIndex, end > message.startIndex, message[message.index(before: end)] == ":" {
            end = message.index(before: end)
        }
        return (place.map { "\($0): " } ?? "") + (argument.map { "--\($0) " } ?? "") + message[..<end]
            + (shownCode ?? "") + message[end...]
    }

    /// What is wrong, as a client of the API reads it.
    public var messageOverHTTP: String { (argument.map { "'\($0)' " } ?? "") + message }

    /// The cure as people read it who sit at the machine.
    public var hint: String? { cure?.text }

    /// As a terminal shows it: the hint indented on a line of its own.
    public var text: String { headline + (hint.map { "\n  hint: \($0)" } ?? "") }

    /// As a log has it: the hint on the same line.
    public var logText: String { headline + (hint.map { "; hint: \($0)" } ?? "") }
}

/// An error that keeps its parts apart until they are shown, in one way for all modules.
///
/// Callers match on the code, never on the wording.
///
/// Source: docs/contributing.md#language.
public protocol StructuredError: Error, CustomStringConvertible {
    /// What it tells.
    var report: ErrorReport { get }
    /// What it means to scripts, to clients, and to what was to be written.
    var meaning: ErrorMeaning { get }
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

    /// What any error means: one that does not say it is a failure.
    package var anyMeaning: ErrorMeaning { (self as? any StructuredError)?.meaning ?? .failure }
}
