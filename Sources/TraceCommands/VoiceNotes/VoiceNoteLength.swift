internal import TraceMedia
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

extension CommandContext {
    /// How long a voice note is: what was typed, else what `ffprobe` says of its audio. Where the two contradict each other a
    /// warning tells it, and what was typed counts.
    ///
    /// - Parameters:
    ///   - typed: What `--duration` says.
    ///   - audio: Its file, which need not be there.
    /// - Throws: ``StoreError`` with `.toolFailed` if the file holds no sound, and where it can't be opened and nothing was
    ///   typed; ``CommandFailure`` with `.usage` if nobody knows the length.
    func voiceNoteLength(typed: String?, of audio: FilePath) throws -> SessionOffset {
        let length = try typed.map { try OffsetExpression.duration($0) }
        let look: RecordingLook?
        do { look = try looked(at: audio) } catch let error as any StructuredError
            where length != nil && !error.isStop
        {
            // Whatever is to be done with the file says what is wrong with it.
            look = nil
        }
        if let look, look.probe.audioCodec == nil {
            throw StoreError(
                .toolFailed, "has no audio", path: audio, cure: "name a recording that has an audio stream")
        }
        guard let length else {
            if let known = look?.length { return known }
            throw CommandFailure(
                .usage, "missing --duration, and \(audio.escaped) does not contain its duration",
                cure:
                    "give it with --duration; ffprobe (apt install ffmpeg) reads it from the file if possible"
            )
        }
        if let known = look?.length, contradicts(length, known) {
            notice("warning: --duration \(length) is written, but the file lasts \(known)")
        }
        return length
    }

    /// By more than a second, or a tenth of the whole where that is more: what rounds and cuts is not a contradiction.
    func contradicts(_ one: SessionOffset, _ other: SessionOffset) -> Bool {
        let difference = one.subtracting(other).milliseconds.magnitude
        return difference > max(1000, other.milliseconds.magnitude / 10)
    }

    /// What a file holds; nil if `ffprobe` is not there or can't read it.
    private func looked(at audio: FilePath) throws -> RecordingLook? {
        guard let name = audio.lastComponent,
            try OpenDirectory(audio.removingLastComponent()).openRegularFile(name) != nil
        else { throw FileError(.notFound, "does not exist", path: audio, cure: "give the audio file") }
        return try FFmpeg(for: "voice-note", opening: .any, shouldStop: { Interruption.isAsked }).look(
            at: audio)
    }
}
