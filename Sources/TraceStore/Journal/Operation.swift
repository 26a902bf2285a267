package import RecordFormat

/// What an entry of the queue can ask of a journal of a kind, declared once: the members of its payload, and the write that they come to.
///
/// Source: docs/decisions/0048-an-operation-is-declared.md.
package struct Operation: Sendable {
    /// Behind the kind's name in that of the entry: `score`.
    package let name: String
    /// What it does, without a full stop.
    package let summary: String
    /// In the order in which an entry has them.
    package let parameters: [DeclaredParameter]
    /// Whether it always leaves records, whose ids follow from its own.
    package let makesRecords: Bool
    /// The parameter that says what the write is about, which its report repeats.
    package let subject: String?
    private let make: @Sendable (Arguments) throws(ArgumentProblem) -> any JournalOperation

    package init(
        _ name: String, _ summary: String, makesRecords: Bool = false, about subject: String? = nil,
        _ parameters: [DeclaredParameter],
        write: @escaping @Sendable (Arguments) throws(ArgumentProblem) -> any JournalOperation
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.makesRecords = makesRecords
        self.subject = subject
        make = write
    }

    /// The write of these arguments.
    ///
    /// - Throws: ``ArgumentProblem`` if it can't be made, whatever is in the journal.
    package func write(_ arguments: Arguments) throws(ArgumentProblem) -> any JournalOperation {
        try make(arguments)
    }
}

extension EntryOperation {
    /// What the entries of an operation are called.
    package init(_ operation: Operation, of journal: JournalKind) {
        self.init(rawValue: "\(journal).\(operation.name)")
    }
}
