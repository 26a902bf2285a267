/// The kinds of failure of a module: a closed list, of which each says what it means.
///
/// The raw value is the stable kebab-case name, on which scripts and clients match.
public protocol ErrorCode: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    /// Where an error of these codes is.
    associatedtype Place: ErrorPlace = NoPlace
    /// What it means to scripts, to clients, and to what was to be written.
    var meaning: ErrorMeaning { get }
    /// Whether people are shown the code, too, to search for.
    static var isShown: Bool { get }
}

extension ErrorCode {
    /// They are.
    public static var isShown: Bool { true }
}

/// Where an error is.
public protocol ErrorPlace: Hashable, Sendable {
    /// As people read it, visible; nil if that is in no one place.
    var text: String? { get }
}

/// The place of errors that are in no place, or say it in their message.
public enum NoPlace: ErrorPlace {
    /// None.
    public var text: String? { nil }
}

/// An error of a module: a kind of failure of its list, with what is wrong in words, the place, and the cure.
///
/// Callers match on ``code``; the wording may change in any release. ``description`` reads *where: what*, then the cure on a line of its own:
///
/// ```
/// live/markers.jsonl: cannot write: No space left on device [disk-full]
///   hint: free some space on this file system, then try again
/// ```
///
/// Source: docs/contributing.md#language.
public struct CodedError<Codes: ErrorCode>: StructuredError {
    /// The kinds of failure.
    public typealias Code = Codes

    /// What kind of failure it was.
    public var code: Codes
    /// The option or parameter that the message begins with: ``ErrorReport/argument``.
    public var argument: String?
    /// What went wrong, without the place: one line, no trailing period.
    public var message: String
    /// Where it is.
    public var place: Codes.Place?
    /// What to do about it.
    public var cure: Cure?
    /// What caused it.
    public var underlying: (any Error)?

    /// An error from its parts.
    public init(
        _ code: Codes, _ message: String, at place: Codes.Place?, cure: Cure? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.place = place
        self.cure = cure
        self.underlying = underlying
    }

    /// What it tells.
    public var report: ErrorReport {
        ErrorReport(
            code: code.rawValue, place: place?.text, argument: argument, message: message, cure: cure,
            isCodeShown: Codes.isShown)
    }

    /// That of its code.
    public var meaning: ErrorMeaning { code.meaning }
}

extension CodedError where Codes.Place == NoPlace {
    /// An error from its parts.
    ///
    /// - Parameter argument: What the message begins with: ``ErrorReport/argument``.
    public init(_ code: Codes, about argument: String? = nil, _ message: String, cure: Cure? = nil) {
        self.init(code, message, at: nil, cure: cure)
        self.argument = argument
    }
}

extension CodedError: Hashable {
    /// Whether they tell the same.
    public static func == (one: CodedError, other: CodedError) -> Bool { one.report == other.report }

    /// By what it tells.
    public func hash(into hasher: inout Hasher) { hasher.combine(report) }
}
