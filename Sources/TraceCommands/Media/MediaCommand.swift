internal import TraceMedia
internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `trace media …`
struct MediaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Add recordings to a session, and list them.",
        subcommands: [MediaList.self, MediaAdd.self, MediaAddReviewAudio.self])
}

/// What the two commands that add media share.
struct MediaReport {
    let context: CommandContext
    let session: FilePath
    let added: AddedMedia
    let media: NewMedia

    /// Copies a file into a session, with a report on how far that has come.
    ///
    /// - Throws: ``StoreError`` with `.stopped` if the user asks for that.
    static func adding(
        _ media: NewMedia, from source: FilePath, to session: SessionTarget,
        as operation: UndoableWrite.Operation,
        _ context: CommandContext
    ) throws -> MediaReport {
        let progress = context.progress("copying")
        do {
            let added = try context.writer(session).addMedia(media, from: source, as: operation) {
                (done, all) throws(Errno) in
                try Interruption.check()
                progress.update(all > 0 ? Double(done) / Double(all) : nil)
            }
            progress.finish()
            for notice in added.notices { context.notice("warning: \(notice)") }
            return MediaReport(context: context, session: session.path, added: added, media: media)
        } catch let error as FileError where error.errno == .canceled {
            throw StoreError.stopped
        }
    }

    /// Prints it.
    ///
    /// - Parameter extraction: How the sound came there, where it was taken out of another file.
    func show(asJSON: Bool, extraction: FFmpeg.Extraction? = nil) {
        Output.done("media: \(added.id) (\(added.path))", asJSON: asJSON) { object in
            object.member("id", JSONText(added.id))
            object.member("path", JSONText(added.path))
            object.member("kind", JSONText(media.kind.rawValue))
            object.member("mime", JSONText(media.mime))
            object.member("start_offset_ms", JSONText(media.startOffset))
            object.member("duration_ms", media.duration.map { JSONText($0) })
            object.session(at: session, added.sessionID)
            object.member("audio", extraction.map { JSONText($0.rawValue) })
        }
    }
}
