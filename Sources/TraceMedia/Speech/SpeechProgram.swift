internal import TraceStore
internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// A configured program that turns speech into text.
///
/// Its command line is a template: `{input_wav}` is the audio as WAV (16 kHz, one channel), `{output_base}` a path without
/// extension beside which it may write `.json` or `.jsonl`, `{lang}` the language. What it writes there is read, else what
/// it prints.
///
/// Source: docs/media.md#a-speech-to-text-program.
package struct SpeechProgram {
    private let command: [String]
    private let language: String
    private let timeout: Duration
    private let temporary: FilePath
    private let shouldStop: () -> Bool

    /// The most bytes that are read of the file that it writes.
    private static let answerLimit: Int64 = 2 << 30

    /// - Parameters:
    ///   - command: The program and its arguments.
    ///   - temporary: Where what it needs is kept while it runs.
    /// - Throws: ``StoreError`` with `.toolMissing` if none is configured, ``FileError`` with `.invalidData` if the template names no input.
    package init(
        _ command: [String], language: String, timeout: Duration, temporary: FilePath,
        shouldStop: @escaping () -> Bool
    ) throws {
        guard !command.isEmpty else {
            throw StoreError(
                .toolMissing, "no speech-to-text command is configured",
                cure:
                    "set speech_command, e.g. to: whisper-cli -m MODEL -f {input_wav} -l {lang} -oj -of {output_base} -np"
            )
        }
        guard command.contains(where: { $0.contains("{input_wav}") }) else {
            throw FileError(
                .invalidData, "speech_command does not contain {input_wav}",
                cure: "put {input_wav} where the program expects the audio file name")
        }
        self.command = command
        self.language = language
        self.timeout = timeout
        self.temporary = temporary
        self.shouldStop = shouldStop
    }

    /// What is said in a file.
    ///
    /// - Throws: ``StoreError`` with `.toolMissing`, `.toolFailed`, `.stopped`; ``FormatError`` if the program's answer can't be
    ///   read.
    package func listen(to audio: FilePath) throws -> SpeechOutput {
        try PrivateDirectory.with(in: temporary) { directory in
            let input = directory.appending("input.wav")
            let base = directory.appending("output")
            try FFmpeg(for: "transcribe", opening: .any, shouldStop: shouldStop).makeSpeechInput(
                from: audio, to: input)
            let outcome = try run(input, base)
            let place = try OpenDirectory(directory)
            let written =
                try place.readFile("output.json", limit: Self.answerLimit)
                ?? place.readFile("output.jsonl", limit: Self.answerLimit)
            return try SpeechOutput(written?.contents ?? outcome.output)
        }
    }

    private func run(_ input: FilePath, _ base: FilePath) throws -> ChildProgram.Outcome {
        let words = command.map { word in
            word.replacing("{input_wav}", with: input.string).replacing("{output_base}", with: base.string)
                .replacing("{lang}", with: language)
        }
        let name = FilePath(words[0]).lastComponent?.escaped ?? words[0]
        let outcome: ChildProgram.Outcome
        do throws(Errno) {
            let options = ChildProgram.Options(outputLimit: 64 << 20, gathersErrors: true, niceness: 10)
            var program = try ChildProgram(
                FilePath(words[0]), arguments: words.dropFirst().map { FilePath($0) }, options: options)
            outcome = try program.run(timeout: timeout, shouldStop: shouldStop)
        } catch {
            if error == .noSuchFileOrDirectory {
                throw StoreError(
                    .toolMissing, "\(name) not found (the program of speech_command)",
                    cure: "install it, or put its full path into speech_command")
            }
            throw StoreError(.toolFailed, "\(name) could not be started: \(error)")
        }
        let cure: Cure? =
            outcome.end == .timedOut
            ? "raise \(setting: "speech_timeout") in the configuration if it needs longer" : nil
        if let failure = outcome.end.failure(of: name, errors: outcome.errors, cure: cure) { throw failure }
        return outcome
    }
}

extension SpeechOutput {
    /// The segments of a transcript, for audio that begins at `start`.
    package func lines(startingAt start: SessionOffset) -> [UInt8] {
        pieces.flatMap { piece in
            let segment = TranscriptSegment(
                id: IDGenerator.next(),
                offset: start.adding(piece.offset),
                duration: piece.duration, text: piece.text, speaker: piece.speaker,
                confidence: piece.confidence)
            return segment.json.bytes + [newline]
        }
    }
}
