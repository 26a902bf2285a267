internal import Journals
package import RecordFormat
internal import TraceStore

/// What a command prints with `--json`, and what HTTP answers in its place.
struct CommandAnswer: Sendable, CustomStringConvertible {
    /// The command without `trace`, as the heading of its section in docs/cli-json.md names it.
    let command: String
    /// The whole of what is printed.
    let type: ShapeType

    static func one(_ command: String, _ shape: AnswerShape) -> CommandAnswer {
        CommandAnswer(command: command, type: .object(shape))
    }

    static func list(_ command: String, of shape: AnswerShape) -> CommandAnswer {
        CommandAnswer(command: command, type: .array(.object(shape)))
    }

    static func list(_ command: String, of record: RecordComponent) -> CommandAnswer {
        CommandAnswer(command: command, type: .array(.record(record)))
    }

    package var description: String { "trace \(command)" }
}

/// The shapes of the answers of the HTTP API.
package enum AnswerShapes {
    /// The commands that HTTP has requests for. One that prints an array or an object, as it is asked, is named twice.
    static let commands: [CommandAnswer] =
        [
            .one("session init", .createdSession),
            .one("session edit", .editedSession),
            .one("session pause", .pausedSession),
            .one("session resume", .resumedSession),
            .one("session close", .closedSession),
            .one("session delete", .deletedSession),
            .one("session restore", .restoredSession),
            .one("session show", .sessionDetails),
            .list("sessions", of: .sessionRow),
            .one("position", .position),

            .one("mark", .writtenMarker),
            .one("marker edit", .editedMarker),
            .one("marker remove", .removedMarker),
            .list("markers list", of: .marker),
            .list("markers list --all", of: .markerRow),
            .one("voice-note", .writtenVoiceNote),
            .one("voice-note set-transcript", .editedVoiceNote),
            .list("voice-notes list", of: .voiceNote),
            .one("import", .importReport),

            .list("search", of: .searchHit),
            .list("at", of: .surroundings),
            .list("timeline", of: .timelineRow),
            .list("journals", of: .journalRow),
            .one("journal show", .journalDetails),
        ] + kinds + [
            .list("validate", of: .sessionFindings),
            .one("explain", .rule),
            .list("explain", of: .rule),

            .list("queue list", of: .waitingEntry),
            .list("queue show", of: .queueItem),
            .one("queue retry", .drainOutcome),
            .list("queue flush", of: .drainOutcome),
            .one("queue drop", .droppedEntry),
            .list("queue import", of: .queueImportOutcome),

            .list("action list", of: .actionRun),
            .one("action decline", .declinedRequest),

            .one("digest show", .digest),
            .one("digest show --since", .practiceDigest),
            .one("digest generate", .writtenDigest),
            .one("digest write", .writtenDigest),

            .one("status", .status),

            .list("token list", of: .token),
        ]

    /// Those of the questions of each kind of journal.
    private static let kinds: [CommandAnswer] = Journals.all.formats.flatMap { format in
        format.surface.questions.flatMap(\.views).map { question in
            let command = "\(format.layout.kind) \(question.command)"
            return question.isList
                ? .list(command, of: question.shape) : .one(command, question.shape)
        } + format.surface.acts.map { .one("\(format.layout.kind) \($0.name)", $0.shape) }
    }

    /// What is answered over HTTP alone.
    static let httpOnly: [AnswerShape] = [
        .problem, .server, .strip, .delivery, .actionPrograms, .wholeActionRun, .mediaLink, .pairedToken,
        .digestBlock, .digestInline, .kind,
    ]

    /// Every shape: those of answers, and those of objects within them.
    static let all: [AnswerShape] = {
        var found: [AnswerShape] = []
        func add(_ shape: AnswerShape) {
            guard !found.contains(shape) else { return }
            found.append(shape)
            for member in shape.members { member.type.shape.map(add) }
        }
        commands.compactMap(\.type.shape).forEach(add)
        httpOnly.forEach(add)
        return found
    }()

    /// An object of all schemas that a schema can refer to, under the names of the components.
    package static func components(forHTTP: Bool) -> JSONText {
        .object { object in
            for shape in all { object.member(shape.name, shape.schema(forHTTP: forHTTP)) }
            for record in RecordComponent.allCases {
                object.member(record.name, record.schema(forHTTP: forHTTP))
            }
            for entry in EntrySchemas.all { object.member(entry.name, entry.schema) }
        }
    }
}
