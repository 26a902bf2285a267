internal import TraceMedia
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Lets a program listen to voice notes, one by one; what it heard is written down at once, so that an interruption costs
/// the note that is being listened to and no other.
struct VoiceNoteTranscription {
    private let context: CommandContext
    private let session: SessionTarget
    private let again: Bool

    /// - Parameter again: Whether notes that have a text are listened to as well.
    init(_ context: CommandContext, session: SessionTarget, again: Bool) {
        self.context = context
        self.session = session
        self.again = again
    }

    /// The outcome of a voice note.
    private struct Result {
        var id: ULID
        var text: String?
        var isChanged = false
        var problem: String?

        var json: JSONText {
            .object { object in
                object.member("id", JSONText(id))
                object.member("changed", JSONText(isChanged))
                object.member("transcript_text", text.map { JSONText($0) })
                object.member("problem", problem.map { JSONText($0) })
            }
        }
    }

    /// - Throws: ``CommandFailure`` with `.negative` if notes failed; ``StoreError`` with `.stopped` or `.toolMissing`.
    func run(asJSON: Bool) throws {
        let notes = try SessionReader(session.directory).authoritative(.voiceNote) { VoiceNote($0) }.map(
            \.value
        )
        .filter { again || ($0.transcript ?? "").isEmpty }.sorted {
            ($0.offset, $0.id) < ($1.offset, $1.id)
        }
        Interruption.installHandlers()
        var results: [Result] = []
        // Also where it is stopped: what has been written is reported.
        defer { if asJSON { Output.json(.array(results.map(\.json))) } }
        for (number, note) in notes.enumerated() {
            let result = try transcribe(note, "voice note \(number + 1) of \(notes.count)")
            results.append(result)
            let changed = results.filter(\.isChanged).map(\.id.description)
            if !changed.isEmpty { Output.note(done: "transcribed: \(changed.joined(separator: ", "))") }
            if let problem = result.problem {
                Output.error("error: voice note \(note.id): \(problem)")
            } else if result.text == "" {
                context.notice("no speech was found in voice note \(note.id)")
            } else if !asJSON {
                Output.line("transcribed: \(note.id)")
            }
        }
        if notes.isEmpty, !asJSON { Output.line("no voice notes to transcribe") }
        if results.contains(where: { $0.problem != nil }) { throw CommandFailure(.negative, nil) }
    }

    private func transcribe(_ note: VoiceNote, _ label: String) throws -> Result {
        var result = Result(id: note.id)
        let progress = context.progress(label)
        defer { progress.finish() }
        let program = try context.speechProgram(progress)
        do {
            guard MediaPath.components(of: note.mediaPath) != nil else {
                throw FileError(
                    .leavesSession, "'\(note.mediaPath)' points outside the session directory",
                    cure: "use a file in media/")
            }
            let output = try program.listen(to: session.path.pushing(FilePath(note.mediaPath)))
            for notice in output.notices { context.notice("voice note \(note.id): \(notice.text)") }
            let text = output.text
            result.text = text
            if !text.isEmpty {
                result.isChanged = try context.writer(session).setTranscript(of: note.id, to: text)
                    .isChanged
            }
        } catch let error as any StructuredError
            where !error.isStop && (error as? StoreError)?.code != .toolMissing
        {
            result.problem = error.description
        }
        return result
    }
}
