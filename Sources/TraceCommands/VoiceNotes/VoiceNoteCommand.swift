internal import ArgumentParser
internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// `trace voice-note`
struct VoiceNoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-note", abstract: "Add a voice note to a session.")

    @Argument(help: "The session.")
    var session: String?
    @Option(parsing: .unconditional, help: "Where it was spoken: 120000, 2:00, 90s, now, end.")
    var offset: String
    @Option(help: "How long it is: 4200, 4.2s.")
    var duration: String
    @Option(help: "The name of an audio file that lies in the session's media/.", transform: words)
    var media: String?
    @Option(help: "An audio file to copy into the session.")
    var mediaFile: String?
    @Option(parsing: .unconditional, help: "What is said.", transform: words)
    var text: String?
    @Option(help: "The marker that it belongs to.")
    var markerId: String?
    @Flag(help: "Allow an offset after the session's end.")
    var force = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        switch (media?.isEmpty ?? true, mediaFile?.isEmpty ?? true) {
        case (true, true): throw ValidationError("missing --media <filename> or --media-file <path>")
        case (false, false): throw ValidationError("use either --media or --media-file, not both")
        default: return
        }
    }

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let path = try workplace.session(session)
            let session = try SessionCandidate(reading: path).session
            let note = try note(for: session, at: path, workplace)
            let audio = mediaFile.flatMap { $0.isEmpty ? nil : workplace.absolute(FilePath(argument: $0)) }
            for notice in try workplace.writer(path).addVoiceNote(note, audio: audio) {
                workplace.notice("warning: \(notice)")
            }
            guard global.json else { return Output.line("voice-note: \(note.id)") }
            Output.json(
                .object { object in
                    object.member("id", JSONText(note.id))
                    object.member("offset_ms", JSONText(note.offset))
                    object.member("media_path", JSONText(note.mediaPath))
                    object.member("session_id", session.id.map { JSONText($0) })
                })
        }
    }

    private func note(for session: Session, at path: FilePath, _ workplace: Workplace) throws -> VoiceNote {
        let now = Clock.now()
        let resolution = OffsetResolution(
            session: session, lastMarker: { try MarkerReading.lastOffset(in: path) }, now: now)
        let place = try resolution.offset(offset, force: force)
        workplace.notice("at \(place) (\(place.milliseconds) ms)")
        let marker = try markerId.flatMap { $0.isEmpty ? nil : $0 }.map { text in
            guard let id = ULID(text) else {
                throw CommandFailure(.usage, "marker_id '\(text)' is not a ULID")
            }
            return id
        }
        let id = IDMint.next()
        let name = media.flatMap { $0.isEmpty ? nil : $0 } ?? "\(id)\(Self.suffix(of: mediaFile))"
        return VoiceNote(
            id: id, createdAt: now, mediaPath: "\(SessionLayout.media)/\(name)", offset: place,
            duration: try OffsetExpression.duration(duration), transcript: text, markerID: marker)
    }

    /// The extension of a file's name with its dot, or nothing.
    private static func suffix(of file: String?) -> String {
        file.flatMap { FilePath($0).extension }.map { ".\($0)" } ?? ""
    }
}
