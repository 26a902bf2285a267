internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// A recording from which a session is created afterwards.
struct PastRecording {
    private let file: FilePath
    private let media: NewMedia
    /// When its file was changed last: the end of the recording, if nobody has touched it since.
    private let changed: Timestamp

    /// Looks at a file.
    ///
    /// - Throws: ``FileError`` with `.notFound`; ``CommandFailure`` with `.usage` if it is not a regular file, or its extension
    ///   is not known.
    init(_ file: FilePath) throws {
        self.file = file
        guard let name = file.lastComponent else {
            throw FileError(.notFound, "is not a file", path: file, hint: "give the recording")
        }
        let status = try OpenDirectory(file.removingLastComponent()).status(of: name, followingLinks: true)
        guard status.kind == .regular else {
            throw CommandFailure(
                .usage, "--from '\(file.escaped)' is not a regular file", hint: "give the recording")
        }
        changed = status.identity.modified.timestamp
        guard let known = file.extension.flatMap({ MediaType.of(extension: $0) }) else {
            throw CommandFailure(
                .usage, "--from '\(file.escaped)': the extension does not identify the kind of recording",
                hint: "omit --from, then add it with 'trace media add --kind … --mime …'")
        }
        media = NewMedia(
            kind: known.kind, mime: known.mime, startOffset: .zero,
            duration: try FFmpeg(for: "session init") { Interruption.isAsked }.probe(file)?.duration,
            suffix: file.extension.map { ".\($0)" } ?? "")
    }

    /// When the recording began: so long before its file was changed last as it lasts.
    ///
    /// - Throws: ``CommandFailure`` with `.usage` if it is not known how long it lasts.
    func start() throws(CommandFailure) -> Timestamp {
        guard let duration = media.duration else {
            throw CommandFailure(
                .usage, "when '\(file.escaped)' began is unknown, since ffprobe can't read its duration",
                hint: "give it with --start")
        }
        return changed + SessionOffset(milliseconds: -duration.milliseconds)
    }

    /// Takes the recording into the session that was made for it, and says how to close that.
    func add(to session: FilePath, startingAt start: Timestamp, _ context: CommandContext) throws
        -> AddedMedia
    {
        Interruption.installHandlers()
        do {
            let target = try SessionTarget(reading: session)
            let report = try MediaReport.adding(media, from: file, to: target, as: .addMedia, context)
            if let duration = media.duration {
                context.notice(
                    "to end it with the recording: trace session close \(session.string.asShellWord) "
                        + "--at \(start + duration)")
            }
            return report.added
        } catch {
            let failure = CommandFailure(error)
            throw CommandFailure(
                failure.status,
                "\(session.escaped) was created, but without its recording: \(failure.report?.headline ?? "")",
                hint: failure.report?.hint)
        }
    }
}
