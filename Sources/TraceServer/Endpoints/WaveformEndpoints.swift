internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceMedia

/// How loud recordings are, for programs that draw them.
enum WaveformEndpoints {
    static let all = [peaks]

    private static let peaks = Endpoint(
        method: .get, path: "/sessions/{s}/media/{m}/peaks", id: "getPeaks", access: .scope(.read),
        summary: "The waveform of a recording, as a file of audiowaveform",
        query: [
            DeclaredParameter(
                name: "level", type: .choice(Waveform.levels.map(String.init)),
                summary: "How coarse it is: 1, the default, has 50 pairs of bytes a second, 64 the fewest")
        ],
        fields: [.range, .ifRange, .ifMatch],
        answers: FileEndpoints.bytes + [
            Outcome(status: 202, summary: "It is being made"),
            .problem("There is no such recording, or it has no waveform", status: 404),
        ], work: .asking
    ) { call in
        let recording = try FileEndpoints.recording(call)
        let level = call["level"].flatMap { Int($0) } ?? 1
        switch recording.waveform(call) {
        case .made:
            // It may have gone in between, to make room.
            guard let made = call.waveforms.file(level, of: recording.identity) else { return .beingMade }
            return try ServedFile(made, madeOf: recording.identity).answer(to: call, as: .unknown)
        case .making: return .beingMade
        case .impossible(let problem): throw problem
        }
    }
}

extension ServedFile {
    /// How far its waveform is; begins to make it if there is none. While a recording grows there is none: it would be made again and again.
    @discardableResult
    func waveform(_ call: Call) -> MediaMaker.Progress {
        guard hasRested else { return .making }
        return call.context.memory.waveforms.progress(of: call.waveforms, of: path, in: identity)
    }
}

extension Call {
    /// The waveforms that were made.
    fileprivate var waveforms: Waveforms { Waveforms(state: context.settings.stateDirectory) }
}

extension Response {
    /// What was asked for is being made; ask again.
    static var beingMade: Response { Response(.accepted, [.retryAfter: "1", .cacheControl: "no-store"]) }
}
