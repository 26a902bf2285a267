/// What reads a text that is not as JSON has it.
package typealias ArgumentReading = @Sendable (String) throws(ArgumentProblem) -> ArgumentValue
/// What reads such a text as the value of the member of a name.
package typealias MemberReading =
    @Sendable (_ name: String, _ text: String) throws(ArgumentProblem) -> ArgumentValue

/// A parameter of a question or of an operation, declared once: the command line's help and reading, the query of a request and its check, the
/// member of an entry, and what documents say of it.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct DeclaredParameter: Sendable {
    package enum Presence: Sendable { case required, optional, repeated }

    /// How the command line takes it.
    package enum Form: Sendable { case argument, option, flag }

    /// What a shell offers for it, beside the words of a choice.
    package enum Completion: Sendable { case nothing, files, directories }

    /// As queries and entries name it.
    package let name: String
    package let type: ValueType
    package var presence: Presence
    package var form: Form
    /// What it is, without a full stop.
    package var summary: String
    /// As the command line names it.
    package var typedName: String
    /// A letter for it on the command line.
    package var letter: Character?
    /// What the command line's help has in the place of its value.
    package var placeholder: String?
    /// The word that is meant if it is left out, where help says so.
    package var standard: String?
    package var completion = Completion.nothing
    /// Whether it is all members of an entry that are not declared.
    package var isRest = false
    /// The value of what people write where that is not as JSON has it: `12,345,678`.
    var reading: ArgumentReading?
    /// The same of each member, where people type those as `name=value`; without it each is a text.
    var memberReading: MemberReading?

    package init(
        name: String, type: ValueType, presence: Presence, form: Form = .option, summary: String
    ) {
        self.name = name
        self.type = type
        self.presence = presence
        self.form = form
        self.summary = summary
        typedName = name.replacing("_", with: "-")
    }

    /// The value of a text as a query or a person has it.
    ///
    /// - Throws: ``ArgumentProblem`` if it is none.
    package func read(_ text: String) throws(ArgumentProblem) -> ArgumentValue {
        if let reading {
            do { return try reading(text) } catch { throw error.within(name) }
        }
        guard let value = type.value(of: text) else { throw ArgumentProblem(name, .malformed(type.told)) }
        return value
    }
}
