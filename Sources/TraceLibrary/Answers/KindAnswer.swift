internal import Journals
package import RecordFormat
internal import TraceStore

/// What can be done with the journals of a kind, out of its declarations alone: enough for a form of each operation and a list of each
/// question.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct KindAnswer: Sendable {
    fileprivate let name: String
    fileprivate let group: (any VerbGroup.Type)?
    fileprivate let surface: KindSurface
    fileprivate let hasPage: Bool

    /// The kinds that have something to do or to ask, in the order in which journals are recognised.
    ///
    /// - Parameter hasPage: Whether the web page has views of its own for a kind.
    package static func all(hasPage: (_ kind: String) -> Bool) -> [KindAnswer] {
        Journals.all.formats.compactMap { format in
            let (name, surface) = (format.layout.kind.name, format.surface)
            if surface.operations.isEmpty, surface.questions.isEmpty { return nil }
            return KindAnswer(name: name, group: format.verbs, surface: surface, hasPage: hasPage(name))
        }
    }

    package var json: JSONText { Shape.kind.json(self) }
}

extension AnswerShape {
    static let kind = Shape<KindAnswer>.kind.description
}

extension Shape<KindAnswer> {
    fileprivate static let kind = Shape(
        "Kind", "A kind of journal: what can be written into its journals, and asked of them",
        [
            .always("name", "as journals name it in kind, and addresses", \.name),
            .always("title", "for people") { $0.group?.title ?? $0.name },
            .sometimes("summary", "what it is for; for people") { $0.group?.abstract },
            .always("page", "whether the web page has views of its own for it, in NAME/kind.js", \.hasPage),
            .list("operations", "the entries that its journals take", of: .operation) { kind in
                kind.surface.operations.map { KindOperation(kind: kind.name, operation: $0) }
            },
            .list("questions", "what they are asked", of: .question) { kind in
                kind.surface.questions.flatMap { path in
                    path.views.map { KindQuestion(kind: kind.name, path: path, question: $0) }
                }
            },
        ])
}

/// An operation of a kind.
private struct KindOperation {
    let kind: String
    let operation: Operation
}

extension Shape<KindOperation> {
    fileprivate static let operation = Shape(
        "KindOperation", "What an entry of the queue does in a journal",
        [
            .always("kind", "that of the entry, such as practice.score") {
                EntryOperation($0.operation, of: JournalKind(name: $0.kind)).rawValue
            },
            .always("name", "behind the kind of journal", \.operation.name),
            .always("summary", "what it does; for people", \.operation.summary),
            .always(
                "makes_records", "whether it always leaves records, whose ids follow from its own",
                \.operation.makesRecords),
            .sometimes("subject", "the parameter that says what it is about", \.operation.subject),
            .list("parameters", "the members of its payload", of: .parameter, \.operation.parameters),
        ])
}

/// A question of a kind, and the path at which it is asked.
private struct KindQuestion {
    let kind: String
    let path: QuestionPath
    let question: Question
}

extension Shape<KindQuestion> {
    fileprivate static let question = Shape(
        "KindQuestion", "What a journal is asked",
        [
            .always("path", "where, below the address of a journal: practice/league") {
                "\($0.kind)/\($0.path.name)"
            },
            .sometimes("view", "the value of view that asks for it, where several questions have one path") {
                $0.path.usual == nil ? nil : $0.question.name
            },
            .always("usual", "whether it is the one that is asked where no view is given") {
                $0.path.usual.map(\.name) ?? $0.question.name == $0.question.name
            },
            .always("summary", "what is answered; for people", \.question.summary),
            .always(
                "schema", "the component of the OpenAPI document that describes it", \.question.shape.name),
            .always("list", "whether the answer is an array of them", \.question.isList),
            .list("parameters", "what the query takes", of: .parameter, \.question.parameters),
            .always(
                "columns", "the headings of the list for people; empty where it is shown in another way",
                \.question.columns),
        ])
}

extension Shape<DeclaredParameter> {
    fileprivate static let parameter = Shape(
        "KindParameter", "What an operation or a question takes",
        [
            .always("name", "as entries and queries name it", \.name),
            .always("summary", "what it is; for people", \.summary),
            .always("required", "whether it must be there") { $0.presence == .required },
            .always("repeated", "whether there may be several: an array in an entry") {
                $0.presence == .repeated
            },
            .sometimes("standard", "the word that is meant if it is left out", \.standard),
            .sometimes("rest", "true if it stands for all members of an entry that are not declared") {
                $0.isRest ? true : nil
            },
            .always("value", "what it may be", .value, \.type),
        ])
}

extension Shape<ValueType> {
    fileprivate static let value = Shape(
        "KindValue", "What a value may be",
        [
            .always(
                "type",
                "text, choice, boolean, integer, number, offset, moment, cursor, file, array, object, members (an object whose names are data) or any",
                \.word),
            .sometimes("words", "those of a choice", \.choices),
            .sometimes("the least and the greatest number", ["minimum": \.least, "maximum": \.greatest]),
            .sometimes("max_bytes", "of a text, as UTF-8", \.mostBytes),
            .sometimes("items", "what each element of an array may be") { $0.element.map(NestedValue.init) },
            .sometimes("members", "those of an object") { $0.members.map { $0.map(NestedParameter.init) } },
        ])
}

/// What is described by the shape that it is within.
private struct NestedValue: ShapeValue {
    let type: ValueType

    static let shapeType = ShapeType.named("KindValue")
    var shapeJSON: JSONText { Shape.value.json(type) }
}

private struct NestedParameter: ShapeValue {
    let parameter: DeclaredParameter

    init(_ parameter: DeclaredParameter) { self.parameter = parameter }

    static let shapeType = ShapeType.named("KindParameter")
    var shapeJSON: JSONText { Shape.parameter.json(parameter) }
}

extension ValueType {
    fileprivate var word: String {
        switch self {
        case .text: "text"
        case .choice: "choice"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .offset: "offset"
        case .moment: "moment"
        case .cursor: "cursor"
        case .file: "file"
        case .array: "array"
        case .object: "object"
        case .members: "members"
        case .any: "any"
        }
    }

    fileprivate var choices: [String]? { if case .choice(let words) = self { words } else { nil } }
    fileprivate var element: ValueType? { if case .array(let element) = self { element } else { nil } }
    fileprivate var members: [DeclaredParameter]? {
        if case .object(let members) = self { members } else { nil }
    }
    fileprivate var mostBytes: Int? {
        switch self {
        case .text(let most) where most < .max: most
        case .cursor: Self.longestCursor
        default: nil
        }
    }

    /// Without the ends of what a number of the machine can be.
    fileprivate var least: Limit? {
        switch self {
        case .integer(let range): range.lowerBound > .min ? Limit(range.lowerBound) : nil
        case .number(let range):
            range.lowerBound > Self.allNumbers.lowerBound ? Limit(range.lowerBound) : nil
        default: nil
        }
    }

    fileprivate var greatest: Limit? {
        switch self {
        case .integer(let range): range.upperBound < .max ? Limit(range.upperBound) : nil
        case .number(let range):
            range.upperBound < Self.allNumbers.upperBound ? Limit(range.upperBound) : nil
        default: nil
        }
    }
}

/// A limit, without a fraction if it has none.
private struct Limit: ShapeValue {
    private let value: ArgumentValue

    init(_ number: Int) { value = .integer(number) }
    init(_ number: Double) { value = .number(number) }

    static let shapeType = ShapeType.number
    var shapeJSON: JSONText { value.json }
}
