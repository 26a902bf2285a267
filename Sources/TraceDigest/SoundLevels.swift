internal import RecordFormat
internal import TraceFormat
internal import TraceMedia

/// How loud a session was, from its review audio.
struct SoundLevels {
    private let waveform: Waveform
    /// Where in the session the recording begins.
    private let start: Double
    /// The length of the session, in milliseconds.
    private let length: Double

    /// - Returns: Nil for a session without a length.
    init?(_ waveform: Waveform, of session: Session, length: SessionOffset) {
        guard length > .zero, !waveform.peaks.isEmpty else { return nil }
        self.waveform = waveform
        self.length = Double(length.milliseconds)
        start = Double(session.reviewAudio?.startOffset?.milliseconds ?? 0)
    }

    /// Of so many equal pieces of the session, how loud each is on the average, 0 ... 1 for the loudest; nil where there is no sound.
    func levels(count: Int) -> [Double?] {
        var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: count)
        for (number, peak) in waveform.peaks.enumerated() {
            let moment = start + (Double(number) + 0.5) * waveform.millisecondsPerPeak
            guard moment >= 0, moment < length else { continue }
            let place = min(count - 1, Int(moment / length * Double(count)))
            sums[place].sum += max(abs(Double(peak.least)), abs(Double(peak.greatest)))
            sums[place].count += 1
        }
        var levels = sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) }
        // A piece between two that have sound has it, too, where it is too short to have a peak of its own.
        for place in levels.indices.dropFirst().dropLast() where levels[place] == nil {
            levels[place] = levels[place + 1].flatMap { next in levels[place - 1].map { min($0, next) } }
        }
        let loudest = max(1, levels.compactMap(\.self).max() ?? 1)
        return levels.map { $0.map { $0 / loudest } }
    }
}
