package import TraceText

/// What people, programs and documents see of a kind of journal.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct KindSurface: Sendable {
    /// The entries that its journals take.
    package let operations: [Operation]
    /// The requests that ask them.
    package let questions: [QuestionPath]
    /// What only who may administrate has done to them.
    package let acts: [AdminAct]
    /// What devices exchange of them; nil of a kind without a document.
    package let exchange: (any DocumentExchange)?

    /// What is repaired in its journals, as a clause; nil for no more than in any.
    package let repairs: String?
    /// The programs that its verbs need.
    package let programs: [NeededProgram]
    /// What `trace doctor` looks for in one of them.
    package let problems: @Sendable (any OpenedJournal) throws -> [JournalProblem]

    package init(
        operations: [Operation] = [], questions: [QuestionPath] = [], acts: [AdminAct] = [],
        exchange: (any DocumentExchange)? = nil,
        repairs: String? = nil, programs: [NeededProgram] = [],
        problems: @escaping @Sendable (any OpenedJournal) throws -> [JournalProblem] = { _ in [] }
    ) {
        self.operations = operations
        self.questions = questions
        self.acts = acts
        self.exchange = exchange
        self.repairs = repairs
        self.programs = programs
        self.problems = problems
    }
}

extension KindSurface {
    /// The operation of that name, behind the kind's.
    func operation(named name: some StringProtocol) -> Operation? {
        operations.first { $0.name == name }
    }
}

/// A program that is not part of this product.
package struct NeededProgram: Sendable {
    package let name: String
    /// The verb that needs it, with its kind: the kind and the verb.
    package let verb: String
    /// The package of Debian that has it.
    package let package: String

    package init(_ name: String, for verb: String, in package: String) {
        self.name = name
        self.verb = verb
        self.package = package
    }
}

/// What is wrong with a journal that no rule is about.
package struct JournalProblem: Sendable {
    package let message: String
    package let cure: Cure

    package init(_ message: String, cure: Cure) {
        self.message = message
        self.cure = cure
    }
}
