internal import TraceMedia
internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace media add-review-audio`
struct MediaAddReviewAudio: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-review-audio",
        abstract: "Add the audio of a recording, for listening to the session.",
        discussion: """
            Needs ffmpeg. Audio that an .m4a can hold (AAC, ALAC) is copied without loss, any other is encoded as AAC. If the \
            recording lasts longer than a closed session, the timeline does not record its end.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Option(help: "The recording, with or without pictures.")
    var source: String
    @Option(parsing: .unconditional, help: "The offset at which it begins; by default the start.")
    var offset = "0"
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let session = try context.target(session)
            let place = try OffsetResolution(in: session).offset(offset, force: true)
            guard !source.isEmpty else {
                throw CommandFailure(.usage, "missing --source for media add-review-audio")
            }
            let recording = context.absolute(FilePath(argument: source))
            try requireFile(recording)
            Interruption.installHandlers()
            try PrivateDirectory.with(in: context.temporaryDirectory) { directory in
                let target = directory.appending("review.m4a")
                let extraction = try extract(recording, to: target, context)
                let ffmpeg = FFmpeg(for: "add-review-audio", opening: .any) { Interruption.isAsked }
                let media = NewMedia(
                    kind: .audio, mime: "audio/mp4", startOffset: place,
                    duration: try ffmpeg.probe(target)?.duration, suffix: ".m4a", mayOutlastSession: true,
                    isReviewAudio: true)
                try MediaReport.adding(media, from: target, to: session, as: .addReviewAudio, context)
                    .show(asJSON: global.json, extraction: extraction)
            }
        }
    }

    private func requireFile(_ recording: FilePath) throws {
        guard let name = recording.lastComponent else {
            throw FileError(.notFound, "is not a file", path: recording, cure: "give the recording")
        }
        _ = try OpenDirectory(recording.removingLastComponent()).status(of: name, followingLinks: true)
    }

    private func extract(
        _ recording: FilePath, to target: FilePath, _ context: CommandContext
    ) throws -> FFmpeg.Extraction {
        let ffmpeg = FFmpeg(for: "add-review-audio", opening: .any) { Interruption.isAsked }
        let probe = try ffmpeg.probe(recording)
        let progress = context.progress("extracting the audio")
        defer { progress.finish() }
        return try ffmpeg.extractAudio(from: recording, to: target, probe: probe) { place in
            let fraction = probe?.duration.map {
                Double(place.milliseconds) / Double(max(1, $0.milliseconds))
            }
            progress.update(fraction)
        }
    }
}
