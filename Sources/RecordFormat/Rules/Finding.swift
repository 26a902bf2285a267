/// Something in a journal that breaks a rule: where, what, and what to do.
///
/// Source: docs/rules.md.
public struct Finding: Sendable, Hashable {
    /// The rule that is broken.
    public let rule: Rule
    /// How grave it is.
    public var severity: Rule.Severity { rule.severity }
    /// Where it is.
    public package(set) var place: Place
    /// What is wrong, with the offending value; for people, not a contract.
    public let message: String

    /// A location in a journal.
    public struct Place: Sendable, Hashable {
        /// The file's path relative to the journal's directory; bytes that are not UTF-8 are escaped.
        public var file: String
        /// 1-based; 0 for the file as a whole.
        public var line: Int
        /// Bytes from the start of the file to the offending ones, or to the start of their line.
        public var byteOffset: Int
        /// 1-based, in bytes from the start of the line; 0 for the line as a whole.
        public var column: Int

        /// A place in a file.
        public init(file: String, line: Int = 0, byteOffset: Int = 0, column: Int = 0) {
            self.file = file
            self.line = line
            self.byteOffset = byteOffset
            self.column = column
        }
    }

    /// A breach of that rule.
    public init(_ rule: Rule, at place: Place, _ message: String) {
        self.rule = rule
        self.place = place
        self.message = message
    }
}

extension Finding.Place: CustomStringConvertible {
    /// `file:line:column (byte n)`, without what is not known.
    public var description: String {
        guard line > 0 else { return file }
        return "\(file):\(line)\(column > 0 ? ":\(column)" : "") (byte \(byteOffset))"
    }
}

extension Finding: CustomStringConvertible {
    /// `file:line (byte n): what is wrong [rule-id]`.
    public var description: String { "\(place): \(message) [\(rule.id)]" }
}

extension Finding {
    /// Whether a reader of the files, in the order of their names, meets it before another one.
    func precedes(_ other: Finding) -> Bool { sortKey < other.sortKey }

    private var sortKey: (String, Int, Int, String) {
        (place.file, place.byteOffset, place.line, rule.id + message)
    }
}
