internal import TraceMedia
internal import RecordFormat
internal import SystemPackage
internal import TraceExchange
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Writes chosen markers in a format: to standard output, into a file, or as chapters of a recording.
struct MarkerFileExport {
    let markers: MarkerFile
    let context: CommandContext

    /// Prints them.
    func print() throws { try Output.pieces { take in try write(take) } }

    /// Writes them into a file, which is whole or not there.
    func write(to target: FilePath, isReplacing: Bool) throws {
        let place = try OutputDestination(target, option: "--output")
        try place.directory.writeFile(place.name, isReplacing: isReplacing) { take in try write(take) }
    }

    /// Writes a copy of a recording that has them as chapters.
    func embed(in recording: FilePath, to target: FilePath, isReplacing: Bool) throws {
        let place = try OutputDestination(target, option: "--embed")
        let (directory, name) = (place.directory, place.name)
        guard let suffix = name.extension, FFmpeg.canHoldChapters(extension: suffix) else {
            throw CommandFailure(
                .usage, "'\(name.escaped)' can't hold chapters",
                cure: "use a .m4a, .mka, .mp3, .mp4 or .mkv")
        }
        if !isReplacing, try directory.statusIfPresent(of: name, followingLinks: false) != nil {
            throw FileError(
                .alreadyExists, "already exists", path: target,
                cure: "choose another file, or replace it with \(option: "force")")
        }
        Interruption.installHandlers()
        try PrivateDirectory.with(in: context.temporaryDirectory) { scratch in
            try write(to: scratch.appending("chapters.txt"), isReplacing: false)
            let made = scratch.appending("made.\(suffix)")
            try run(recording, chapters: scratch.appending("chapters.txt"), to: made)
            guard
                let file = try made.lastComponent.flatMap({ try OpenDirectory(scratch).openRegularFile($0) }),
                file.identity.size > 0
            else {
                throw StoreError(.toolFailed, "ffmpeg has written nothing", path: target)
            }
            try directory.writeFile(name, isReplacing: isReplacing) { take in try file.forEachPiece(take) }
        }
    }

    private func run(_ recording: FilePath, chapters: FilePath, to made: FilePath) throws {
        let progress = context.progress("writing the recording")
        defer { progress.finish() }
        let ffmpeg = FFmpeg(for: "export --embed", opening: .any) { Interruption.isAsked }
        try ffmpeg.embed(chapters: chapters, in: recording, to: made) { place in
            progress.update(
                markers.length.map { Double(place.milliseconds) / Double(max(1, $0.milliseconds)) })
        }
    }

    private func write(_ take: ([UInt8]) throws -> Void) throws {
        for notice in try markers.write(take) { context.notice(notice) }
    }
}
