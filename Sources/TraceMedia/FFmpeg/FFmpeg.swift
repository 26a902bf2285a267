internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Runs `ffmpeg` and `ffprobe`.
///
/// What they read may be a stranger's: they get the file by its descriptor, with the one demuxer of its container, may open no other by any
/// protocol, and are confined to it by the kernel (``Confinement``).
///
/// Source: docs/decisions/0044-ffmpeg-is-handed-one-file.md.
package struct FFmpeg {
    /// What they are needed for, to be read after "required for".
    private let purpose: String
    private let sources: Sources
    let shouldStop: () -> Bool

    /// Which recordings are opened.
    package enum Sources {
        /// Those in a container of ``MediaContainer``.
        case recognised
        /// Also those of which ffmpeg finds out itself what they are, where they belong to the user who asks for it.
        case any
    }

    /// - Parameter shouldStop: Is asked when a signal has come, and once a second; if so the program that runs is ended.
    package init(
        for purpose: String, opening sources: Sources, shouldStop: @escaping () -> Bool = { false }
    ) {
        self.purpose = purpose
        self.sources = sources
        self.shouldStop = shouldStop
    }

    /// The contents of a media file.
    package struct Probe: Sendable, Equatable {
        /// How long it says that it is, where it does.
        package var duration: SessionOffset?
        /// Its streams of sound, in its order.
        package var tracks: [AudioTrack] = []
        /// Whether the duration is one that the file says, and not one that its size and its first frames make likely.
        var saysLength = true
        /// How much sound its header names and how much there is, if they disagree.
        var sound: SoundSize?

        /// What a person should know of its header, if that disagrees with its size.
        package var soundWarning: String? { sound?.message }
        /// The codec of its first audio stream; nil if it has none.
        package var audioCodec: String? { tracks.first?.codec }
    }

    /// Looks into a file.
    ///
    /// - Returns: Nil if `ffprobe` is not there or can't read the file.
    package func probe(_ file: FilePath) throws -> Probe? {
        guard let source = try? open(file),
            let outcome = try? run(
                "ffprobe",
                [
                    "-v", "error", "-show_entries",
                    "format=duration:stream=codec_type,codec_name:stream_tags=title", "-of", "json",
                ]
                    + source.options, on: [source.file], timeout: .seconds(60))
        else { return nil }
        if outcome.end == .stopped { throw StoreError.stopped }
        guard outcome.end == .exited(0) else { return nil }
        guard var probe = Self.probe(outcome.output) else { return nil }
        probe.sound = source.sound
        probe.saysLength = probe.duration != nil && source.sound == nil && source.saysLength
        return probe
    }

    private static func probe(_ answer: [UInt8]) -> Probe? {
        let read = try? JSONParser().withParsed(answer) { root -> Probe in
            var probe = Probe()
            probe.duration = root[name: "format"]?[name: "duration"]?.string.flatMap { Double($0) }.flatMap {
                $0 >= 0 && $0 < 1e12 ? SessionOffset(rounding: $0 * 1000) : nil
            }
            for stream in root[name: "streams"]?.elements.map({ $0 }) ?? []
            where stream[name: "codec_type"]?.string == "audio" {
                let title = stream[name: "tags"]?[name: "title"]?.string
                probe.tracks.append(
                    AudioTrack(
                        index: probe.tracks.count, codec: stream[name: "codec_name"]?.string ?? "unknown",
                        title: title.flatMap { $0.isEmpty ? nil : $0 }))
            }
            return probe
        }
        return read
    }

    /// How the audio was extracted.
    package enum Extraction: String, Sendable {
        /// Bit for bit, without loss.
        case copied
        /// Encoded again, since the container can't hold it as it was.
        case encoded
    }

    /// Takes an audio stream of a file out into an `.m4a`: copied where that can be, else as AAC.
    ///
    /// - Parameters:
    ///   - probe: What ``probe(_:)`` said of the source.
    ///   - track: Which one, from 0.
    ///   - onProgress: Gets how much of the source has been gone through.
    /// - Throws: ``StoreError`` with `.toolMissing`, `.toolFailed` (the source can't be read, or has no sound) or `.stopped`; ``FileError``
    ///   with `.diskFull`.
    package func extractAudio(
        from source: FilePath, to target: FilePath, probe: Probe?, track: Int = 0,
        onProgress: @escaping (SessionOffset) -> Void
    ) throws -> Extraction {
        if let probe, probe.audioCodec == nil {
            throw StoreError(
                .toolFailed, "has no audio", path: source, cure: "name a recording that has an audio stream")
        }
        let recording = try open(source)
        func extract(_ codec: [String]) throws {
            try convert(
                recording,
                ["-vn", "-map", "0:a:\(track)", "-c:a"] + codec + ["-movflags", "+faststart", "-f", "ipod"],
                to: target, onProgress)
        }
        // What players find in an .m4a; of what ffprobe could not tell, ffmpeg says whether it can be.
        let canCopy =
            probe.map { probe in
                probe.tracks.contains { $0.index == track && ["aac", "alac"].contains($0.codec) }
            } ?? true
        if canCopy {
            do {
                try extract(["copy"])
                return .copied
            } catch let error as StoreError where error.code == .toolFailed {}
        }
        try extract(["aac", "-b:a", "160k"])
        return .encoded
    }

    /// Writes the sound of a file as speech-to-text programs want it: 16 kHz, one channel, 16 bits, WAV.
    ///
    /// - Throws: As ``extractAudio(from:to:probe:onProgress:)``.
    func makeSpeechInput(from source: FilePath, to target: FilePath) throws {
        try convert(
            try open(source),
            ["-vn", "-map", "0:a:0", "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-f", "wav"],
            to: target
        ) { _ in }
    }

    /// Writes the sound of a file as every player plays it: AAC in an `.m4a`, with its length at its start. Ends after five minutes.
    ///
    /// - Throws: As ``extractAudio(from:to:probe:onProgress:)``.
    func makePlayable(from source: FilePath, to target: FilePath) throws {
        let source = try open(source)
        let target = try HandedFile(writing: target)
        let outcome = try run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y"] + source.options
                + ["-vn", "-sn", "-dn", "-map", "0:a:0", "-c:a", "aac", "-b:a", "96k"]
                + ["-movflags", "+faststart", "-f", "ipod", target.name],
            on: [source.file, target], niceness: 10, timeout: .seconds(300))
        if let failure = Self.failure(outcome) { throw failure }
    }

    /// How loud a recording is, moment by moment, at each level of detail. Ends after five minutes.
    ///
    /// - Throws: As ``extractAudio(from:to:probe:onProgress:)``, and ``MediaError`` with `.mediaTooLong`.
    /// - Complexity: O(length of the recording) in time; of memory it takes 360 kB an hour.
    func waveform(of source: FilePath) throws -> [Int: Waveform] {
        let source = try open(source)
        var builder = WaveformBuilder()
        let outcome = try run(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + source.options
                + ["-vn", "-sn", "-dn", "-map", "0:a:0", "-ac", "1", "-ar", "\(Waveform.sampleRate)"]
                + ["-f", "s16le", "-"],
            on: [source.file], niceness: 10, timeout: .seconds(300), onOutput: { builder.add($0) },
            shouldStop: { builder.isTooLong || shouldStop() })
        let levels = builder.finish()
        guard !builder.isTooLong else {
            throw MediaError(
                .mediaTooLong, "is longer than \(WaveformBuilder.hourLimit) hours", path: source.file.path,
                cure: "split the recording")
        }
        if let failure = Self.failure(outcome) { throw failure }
        return levels
    }

    /// Containers that hold chapters, by the extension of a file's name, as ffmpeg calls them.
    ///
    /// Source: docs/exchange.md#chapters-in-the-recording-itself: FLAC and WAV have none, and Ogg's come back at other times.
    private static let chapterContainers = [
        "m4a": "ipod", "m4b": "ipod", "mka": "matroska", "mp3": "mp3", "mp4": "mp4", "m4v": "mp4",
        "mkv": "matroska",
    ]

    /// How many bytes the title of a chapter may have: MP4 keeps no more.
    package static let longestChapterTitle = 255

    /// Whether a file of that extension can have chapters.
    package static func canHoldChapters(extension name: String) -> Bool {
        chapterContainers[name.lowercased()] != nil
    }

    /// Whether the first chapter of such a file is moved to 0.
    package static func movesFirstChapter(extension name: String) -> Bool {
        ["ipod", "mp4"].contains(chapterContainers[name.lowercased()])
    }

    /// Writes a copy of a recording that has chapters; sound and pictures are copied as they are.
    ///
    /// - Parameters:
    ///   - chapters: A file of ffmetadata.
    ///   - target: Its extension, one of those that ``canHoldChapters(extension:)`` knows, tells the container.
    /// - Throws: As ``extractAudio(from:to:probe:onProgress:)``; `.toolFailed` also where the container can't hold the sound.
    package func embed(
        chapters: FilePath, in source: FilePath, to target: FilePath,
        onProgress: @escaping (SessionOffset) -> Void
    ) throws {
        let name = (target.extension ?? "").lowercased()
        let container = Self.chapterContainers[name] ?? name
        let hasPictures = ["mp4", "m4v", "mkv"].contains(name)
        let streams = hasPictures ? ["-map", "0:v?", "-map", "0:a?"] : ["-map", "0:a"]
        // ffmpeg 5.1 writes ID3v2.4 chapters whose title is longer than about 110 bytes in a way that loses them.
        let more =
            Self.movesFirstChapter(extension: name)
            ? ["-movflags", "+faststart"] : name == "mp3" ? ["-id3v2_version", "3"] : []
        let added = try HandedFile(reading: chapters)
        do {
            try convert(
                try open(source), with: added,
                ["-protocol_whitelist", "file", "-f", "ffmetadata", "-i", added.name] + streams
                    + ["-map_metadata", "0", "-map_chapters", "1", "-c", "copy"] + more + ["-f", container],
                to: target, onProgress)
        } catch var error as StoreError where error.code == .toolFailed {
            error.cure = "check that the recording plays; a .mka can hold any audio codec"
            throw error
        }
    }

    // MARK: - Running

    /// A recording, and the options with which the two read it.
    struct Source {
        var file: HandedFile
        var container: MediaContainer?
        /// Of a WAV or an AIFF whose header disagrees with its size; all of it is read then, where that is possible.
        fileprivate var sound: SoundSize?

        var options: [String] {
            ["-protocol_whitelist", "file"] + (container?.options ?? [])
                + (sound?.isAllRead ?? false ? ["-ignore_length", "1"] : []) + ["-i", file.name]
        }

        /// Whether the container has a place for how long it is, and has filled it.
        fileprivate var saysLength: Bool {
            switch container {
            case .aac: false
            case .aiff: sound == nil
            case .mp3: (try? MPEGAudioTable.isThere(in: file)) ?? true
            default: true
            }
        }
    }

    /// - Throws: ``FileError``; ``StoreError`` with `.toolFailed` if it is in none of the containers that may be opened.
    func open(_ recording: FilePath) throws -> Source {
        let file = try HandedFile(reading: recording)
        var source = Source(file: file, container: try MediaContainer(of: file))
        if source.container == .wav || source.container == .aiff {
            source.sound = try SoundSize(of: file, isBigEndian: source.container == .aiff)
        }
        guard source.container == nil else { return source }
        guard sources == .any else {
            throw StoreError(
                .toolFailed, "it is not in a container that is opened here", path: recording,
                cure: "see 'Containers' in docs/media.md")
        }
        guard file.owner == geteuid() else {
            throw StoreError(
                .toolFailed, "it is in none of the containers that are known, and belongs to another user",
                path: recording,
                cure: "make a copy of your own if you trust it; see 'Containers' in docs/media.md")
        }
        return source
    }

    /// Converts a file, with progress.
    ///
    /// - Parameter more: Another that is read too.
    private func convert(
        _ source: Source, with more: HandedFile? = nil, _ options: [String], to path: FilePath,
        _ onProgress: @escaping (SessionOffset) -> Void
    ) throws {
        let target = try HandedFile(writing: path)
        var progress = ProgressReading()
        let outcome = try run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-progress", "pipe:1", "-nostats", "-y"] + source.options + options
                + [target.name],
            on: [source.file, target] + [more].compactMap(\.self),
            onOutput: { piece in if let place = progress.add(piece) { onProgress(place) } })
        guard let failure = Self.failure(outcome) else { return }
        if failure.code == .toolFailed {
            // Its exit status does not say why; what it has written is still there.
            let place = PlaceCheck(of: path.containingDirectory)
            if let free = place?.freeBytes, free < Self.leastSpace {
                throw FileError(
                    .diskFull, "there is no space left for the converted audio", path: path,
                    cure: "free some, or set TMPDIR to a directory with more")
            }
        }
        throw failure
    }

    /// With less than this free, in bytes, a file that could not be written had no room: ffmpeg writes 32 KiB at a time.
    private static let leastSpace: Int64 = 64 << 10

    /// Runs one of the two.
    ///
    /// - Parameter files: All that it may reach besides what belongs to it.
    /// - Throws: ``StoreError`` with `.toolMissing` or `.toolFailed` if it can't be started.
    func run(
        _ name: String, _ arguments: [String], on files: [HandedFile], niceness: Int32 = 0,
        timeout: Duration? = nil, onOutput: (([UInt8]) -> Void)? = nil, shouldStop: (() -> Bool)? = nil
    ) throws -> ChildProgram.Outcome {
        do throws(Errno) {
            var program = try ChildProgram(
                FilePath(name), arguments: arguments.map { FilePath($0) },
                options: ChildProgram.Options(
                    gathersErrors: true, niceness: niceness, confinement: Confinement(files: files)))
            var outcome = try program.run(
                timeout: timeout, onOutput: onOutput, shouldStop: shouldStop ?? self.shouldStop)
            outcome.errors = Self.naming(files, in: outcome.errors)
            return outcome
        } catch { throw Self.missing(name, error, purpose) }
    }

    /// What a program said, with the paths of the files for the names that it was told.
    private static func naming(_ files: [HandedFile], in errors: [UInt8]) -> [UInt8] {
        // The longer first: a name may begin with another.
        let text = files.sorted { $0.descriptor > $1.descriptor }.reduce(
            String(decoding: errors, as: UTF8.self)
        ) {
            $0.replacing($1.name, with: $1.path.escaped)
        }
        return Array(text.utf8)
    }

    /// Why ffmpeg has not done what it was to do; nil if it has.
    private static func failure(_ outcome: ChildProgram.Outcome) -> StoreError? {
        outcome.end.failure(of: "ffmpeg", errors: outcome.errors, cure: "check that the file plays")
    }

    private static func missing(_ name: String, _ error: Errno, _ purpose: String) -> StoreError {
        error == .noSuchFileOrDirectory
            ? StoreError(
                .toolMissing, "\(name) not found (required for \(purpose))",
                cure: "install it (apt install ffmpeg) and ensure it is on PATH")
            : StoreError(.toolFailed, "\(name) could not be started: \(error)", underlying: error)
    }
}

/// Parses the output of `ffmpeg -progress`.
struct ProgressReading {
    private var rest: [UInt8] = []

    /// Takes a piece, and says the last place that it names, or nil.
    ///
    /// `out_time_ms` is no help: it holds microseconds as well (ffmpeg 5.1).
    mutating func add(_ piece: [UInt8]) -> SessionOffset? {
        rest += piece
        var place: SessionOffset?
        while let end = rest.firstIndex(of: newline) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest.removeSubrange(...end)
            if line.hasPrefix("out_time_us="), let microseconds = Int64(line.dropFirst(12)) {
                place = SessionOffset(milliseconds: microseconds / 1000)
            }
        }
        return place
    }
}
