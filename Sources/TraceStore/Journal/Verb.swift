package import RecordFormat

/// What people type behind the name of a kind, declared once: the command with its help, and what it asks, writes or does.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct Verb: Sendable {
    package let name: String
    /// What it does, without a full stop.
    package let abstract: String
    package let discussion: String
    /// What may be typed behind it, for the manual.
    package let examples: [String]
    /// What it takes, in the order of its help.
    package let parameters: [DeclaredParameter]
    /// What it takes besides, but not in a queue, behind these.
    package let ownParameters: [DeclaredParameter]
    package let place: Place
    /// Whether it is a verb of `trace queue add`, too.
    package let isQueued: Bool
    /// Refuses arguments that don't go together, before anything is looked at.
    package let check: @Sendable (Arguments) throws(ArgumentProblem) -> Void
    package let choose: @Sendable (Arguments, VerbPlace) throws -> Choice

    /// Which journal it needs.
    package enum Place: Sendable {
        /// One that is here.
        case here
        /// One that may be away: what is written waits for it, unless ``Parameter/noQueue`` is given.
        case perhapsAway
        /// None.
        case nowhere
    }

    /// What is done.
    package enum Choice {
        case ask(Question, Arguments)
        case write(Write)
        case act(Act)
        /// The last write of any kind into the journal is taken back.
        case undo
    }

    /// A write that is made, or waits in the queue.
    package struct Write {
        package let operation: Operation
        package let arguments: Arguments
        /// Whether it may wait where the journal can't be written now.
        package var mayWait = true
        /// What its report says; nil for what the report of every write says.
        package var report: ((WriteState) -> Answer)?
        /// What is said besides, before anything is written.
        package var notices: [String] = []

        package init(_ operation: Operation, _ arguments: Arguments) {
            self.operation = operation
            self.arguments = arguments
        }

        /// What is to be written, for people, where nobody can say yet what it comes to: `score: game G1, score 12345678`.
        package var words: String {
            let words = arguments.words(operation.parameters)
            return words.isEmpty ? operation.name : "\(operation.name): \(words)"
        }
    }

    /// How far a write has come.
    package enum WriteState {
        /// It was only to be shown what it would do.
        case planned
        case written(id: ULID, AppliedOperation)
        case waiting(id: ULID)
    }

    package init(
        _ name: String, _ abstract: String, discussion: String = "", examples: [String] = [],
        _ parameters: [DeclaredParameter] = [], own ownParameters: [DeclaredParameter] = [],
        at place: Place = .here, isQueued: Bool = false,
        check: @escaping @Sendable (Arguments) throws(ArgumentProblem) -> Void = { _ in },
        choose: @escaping @Sendable (Arguments, VerbPlace) throws -> Choice
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.examples = examples
        self.parameters = parameters
        self.ownParameters = ownParameters
        self.place = place
        self.isQueued = isQueued
        self.check = check
        self.choose = choose
    }
}

/// A verb as a type, by which the command line's parser tells it apart.
///
/// Each verb is one, with nothing else in it: `enum ScoreVerb: DeclaredVerb { static let verb = Verb(…) }`.
package protocol DeclaredVerb: SendableMetatype {
    static var verb: Verb { get }
}

/// Verbs below one name, which is a type for the same reason.
package protocol VerbGroup: SendableMetatype {
    static var name: String { get }
    /// The heading of the group in the list of all commands; of those below a kind's name alone.
    static var title: String { get }
    static var abstract: String { get }
    static var discussion: String { get }
    /// Examples of other commands that name the kind, by the command.
    static var otherExamples: [(command: String, lines: [String])] { get }
    /// In the order of the help.
    static var members: [VerbGroupMember] { get }
}

extension VerbGroup {
    package static var title: String { "" }
    package static var discussion: String { "" }
    package static var otherExamples: [(command: String, lines: [String])] { [] }
}

package enum VerbGroupMember {
    case verb(any DeclaredVerb.Type)
    case group(any VerbGroup.Type)
}

// MARK: - Verbs of one form

extension Verb {
    /// Asks a question with the same parameters.
    package static func asking(
        _ name: String, _ abstract: String, discussion: String = "", examples: [String] = [],
        _ question: Question, own: [DeclaredParameter] = []
    ) -> Verb {
        Verb(
            name, abstract, discussion: discussion, examples: examples, question.parameters,
            own: own + (question.isList && !question.columns.isEmpty ? tableForm : [])
        ) { asked, _ in .ask(question, asked) }
    }

    /// Asks a question as that says itself.
    package static func asking(
        _ question: Question, examples: [String] = [], own: [DeclaredParameter] = []
    ) -> Verb {
        asking(question.command, question.summary, examples: examples, question, own: own)
    }

    /// Writes what an operation is, with the same parameters; where the journal can't be written now, the write waits in the queue.
    package static func writing(_ operation: Operation, examples: [String] = []) -> Verb {
        Verb(
            operation.name, operation.summary, discussion: waiting, examples: examples, operation.parameters,
            own: [DeclaredParameter](.noQueue), at: .perhapsAway, isQueued: true
        ) { asked, _ in .write(Write(operation, asked)) }
    }

    /// What says in which form a list goes to programs; of each verb that asks for one.
    package static let tableForm = [DeclaredParameter](.header, .format)

    /// What help says of a write that waits.
    package static let waiting = "Where the journal can't be written now, the write waits in the queue."
}

/// Takes back the last write of any kind into the journal; of all kinds of journal.
package enum UndoVerb: DeclaredVerb {
    package static let verb = Verb(
        "undo", "Take back the last write into the journal", examples: ["", "--dry-run"],
        [DeclaredParameter](.dryRun)
    ) { _, _ in .undo }
}

// MARK: - Parameters that verbs of all kinds share

extension Parameter<Bool> {
    package static let noQueue = Self(
        "no-queue", "Fail where the journal can't be written, instead of queueing")
    /// - Parameter summary: What is shown instead.
    package static func dryRun(_ summary: String = "Only show what would be done") -> Self {
        Self("dry-run", summary, letter: "n")
    }
    package static let dryRun = dryRun()
    package static let header = Self(
        "header", "Begin with a line of the columns' names, where the list is not shown on a terminal")
    /// Whether who owns the journal is shown what it hides.
    package static let unredacted = Self(
        "unredacted", "Show all names; only to the owner of the journal, at a terminal")
}

extension Parameter<TableFormat?> {
    package static let format = Self(
        "format", "A table for other programs, with the columns' names: tsv or csv")
}

extension Parameter<Int?> {
    /// Of a list for people; requests get all of it.
    package static let limit = Self("limit", "At most this many", .integer(1 ... .max))
}
