package import RecordFormat
internal import TraceFiles
internal import TraceText

/// What can be asked of a journal of a kind, declared once: the command's columns, the request with its query, and the shape of the answer.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct Question: Sendable {
    /// What is asked for: the last segment of its path, or the word of a view (``QuestionPath``).
    package let name: String
    /// How it is asked at the command line, behind the kind's name: `league stats --rows`.
    package let command: String
    /// What is answered, without a full stop.
    package let summary: String
    /// In the order in which they are documented.
    package let parameters: [DeclaredParameter]
    /// The object that is answered, or each one of a list.
    package let shape: AnswerShape
    package let isList: Bool
    /// Whether the answer is of the time at which it is asked, too, and not of the journal's files alone.
    package private(set) var isAboutNow = true
    /// The headings of a list as a table, in their order; empty of what people are shown in another way.
    package let columns: [String]
    package let ask: @Sendable (any OpenedJournal, Arguments) throws -> Answer

    /// A question that is answered with a list.
    ///
    /// - Parameters:
    ///   - columns: For people.
    ///   - nothing: What people read where there are no rows.
    ///   - rows: Finds them.
    package static func list<Journal: OpenedJournal, Row>(
        _ name: String, command: String? = nil, _ summary: String, of shape: Shape<Row>,
        columns: [Column<Row>], nothing: String = "nothing to list", _ parameters: [DeclaredParameter] = [],
        rows: @escaping @Sendable (Journal, Arguments) throws -> [Row]
    ) -> Question {
        list(
            name, command: command, summary, of: shape, headings: columns.map(\.heading.name),
            nothing: nothing, parameters, rows: rows
        ) { rows, reader in
            [.table(columns, rows, for: reader)]
        }
    }

    /// - Parameters:
    ///   - headings: Those of the table on the screen.
    ///   - nothing: What people read where there are no rows.
    ///   - screen: For people.
    package static func list<Journal: OpenedJournal, Row>(
        _ name: String, command: String? = nil, _ summary: String, of shape: Shape<Row>,
        headings: [String] = [], nothing: String = "nothing to list", _ parameters: [DeclaredParameter] = [],
        rows: @escaping @Sendable (Journal, Arguments) throws -> [Row],
        screen: @escaping @Sendable ([Row], AnswerReader) -> [ScreenPart]
    ) -> Question {
        Question(
            name: name, command: command ?? name, summary: summary, parameters: parameters,
            shape: shape.description, isList: true, columns: headings
        ) { journal, asked in
            let found = Array(try rows(Self.opened(journal), asked).prefix(asked[.limit] ?? .max))
            var answer = Answer(.list(count: found.count) { shape.json(found[$0]) }) { screen(found, $0) }
            answer.nothing = found.isEmpty ? nothing : nil
            return answer
        }
    }

    /// A question that is answered with one value.
    package static func one<Journal: OpenedJournal, Value>(
        _ name: String, command: String? = nil, _ summary: String, of shape: Shape<Value>,
        _ parameters: [DeclaredParameter] = [],
        value: @escaping @Sendable (Journal, Arguments) throws -> Value,
        screen: @escaping @Sendable (Value, AnswerReader) -> [ScreenPart]
    ) -> Question {
        Question(
            name: name, command: command ?? name, summary: summary, parameters: parameters,
            shape: shape.description, isList: false, columns: []
        ) { journal, asked in
            let found = try value(Self.opened(journal), asked)
            return Answer(.one { shape.json(found) }) { screen(found, $0) }
        }
    }

    /// The same question, whose answer stays as it is as long as the journal's files and its zone do.
    package var aboutFilesAlone: Question {
        var question = self
        question.isAboutNow = false
        return question
    }

    /// The journal as its kind knows it.
    private static func opened<Journal: OpenedJournal>(_ journal: any OpenedJournal) throws -> Journal {
        guard let journal = journal as? Journal else {
            throw StoreError(.noSuchSession, "the journal is of another kind", path: journal.path)
        }
        return journal
    }
}

/// Where requests ask one question, or one of several that a parameter tells apart.
package struct QuestionPath: Sendable {
    /// The last segment, behind the kind's name.
    package let name: String
    /// The operation's name in OpenAPI.
    package let id: String
    /// What is answered, without a full stop.
    package let summary: String
    /// All that its questions take, in the order in which they are documented.
    package let parameters: [DeclaredParameter]
    /// One question; or several, by the word of the parameter `view` that asks for each.
    package let views: [Question]
    /// The view if none is asked for; nil where there is only one question.
    package let usual: Question?

    /// A path of one question.
    package init(_ question: Question, id: String) {
        name = question.name
        self.id = id
        summary = question.summary
        parameters = question.parameters
        views = [question]
        usual = nil
    }

    /// A path of several questions.
    ///
    /// - Parameter usual: The one that is meant where none is asked for.
    package init(
        _ name: String, id: String, _ summary: String, usual: Question, views: [Question]
    ) {
        self.name = name
        self.id = id
        self.summary = summary
        self.views = views
        self.usual = usual
        var parameters: [DeclaredParameter] = []
        for parameter in views.flatMap(\.parameters)
        where !parameters.contains(where: { $0.name == parameter.name }) { parameters.append(parameter) }
        self.parameters = parameters
    }
}
