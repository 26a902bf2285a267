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
    @Option(
        help: ArgumentHelp(
            "Which of several audio tracks, from 1; by default the first that is not silent.",
            valueName: "number"))
    var track: Int?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if let track, track < 1 { throw ValidationError("--track counts from 1") }
    }

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
        if let sound = probe?.soundWarning { context.notice("warning: \(recording.escaped): \(sound)") }
        let track = try chosenTrack(of: recording, probe, ffmpeg, context)
        let progress = context.progress("extracting the audio")
        defer { progress.finish() }
        return try ffmpeg.extractAudio(from: recording, to: target, probe: probe, track: track) { place in
            let fraction = probe?.duration.map {
                Double(place.milliseconds) / Double(max(1, $0.milliseconds))
            }
            progress.update(fraction)
        }
    }

    /// The audio track that is taken, from 0; says which, where there are several, and whether it seems to be silent.
    private func chosenTrack(
        of recording: FilePath, _ probe: FFmpeg.Probe?, _ ffmpeg: FFmpeg, _ context: CommandContext
    ) throws -> Int {
        guard let probe, let first = probe.tracks.first else { return (track ?? 1) - 1 }
        if let track, track > probe.tracks.count {
            throw CommandFailure(
                .usage, "--track \(track): the recording has \(counted(probe.tracks.count, "audio track"))",
                cure: "give a number up to \(probe.tracks.count)")
        }
        var silent: [AudioTrack] = []
        let candidates = track.map { [probe.tracks[$0 - 1]] } ?? probe.tracks
        let chosen = try candidates.first { track in
            guard try ffmpeg.isSilent(track, of: recording, lasting: probe.duration) else { return true }
            silent.append(track)
            return false
        }
        let taken = chosen ?? candidates.first ?? first
        if probe.tracks.count > 1 {
            let skipped = chosen == nil ? "" : silent.map { "; track \($0) seems to be silent" }.joined()
            context.notice(
                "audio track \(taken) of \(probe.tracks.count) is taken\(skipped)"
                    + (track == nil ? "; --track takes another" : ""))
        }
        if chosen == nil {
            context.warn(
                candidates.count > 1
                    ? "all audio tracks seem to be silent" : "the audio seems to be silent",
                cure:
                    "play the recording, and take the review audio back with \(verb: "undo") if there is nothing in it"
            )
        }
        return taken.index
    }
}
