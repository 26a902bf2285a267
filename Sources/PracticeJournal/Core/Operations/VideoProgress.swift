internal import RecordFormat

/// How far a video was watched, as a write has it.
///
/// Source: docs/spec/practice.md#composed-texts.
package struct VideoProgress: Sendable, Equatable {
    package let kind: VideoKind
    package let value: String
    /// 0 to 100.
    package let percent: Int

    /// - Parameter source: Which video: `Tutorial 1`.
    /// - Throws: ``WriteRejection`` without a source.
    package init(source: String, percent: Double) throws(WriteRejection) {
        self.percent = Self.rounded(percent)
        kind = .percent
        value = "\(try Self.source(source))\(WatchedVideo.separator)\(self.percent)%"
    }

    /// - Parameters:
    ///   - watched: `H:MM:SS` or `HH:MM:SS`, like `total`; the whole video if both are blank, or zero.
    /// - Throws: ``WriteRejection`` without a source, and for texts that are not such times.
    package init(source: String, watched: String, total: String) throws(WriteRejection) {
        let source = try Self.source(source)
        let isBlank = watched.isBlank && total.isBlank
        guard let seen = isBlank ? 0 : ClockText.seconds(watched),
            let all = isBlank ? 0 : ClockText.seconds(total), seen <= all
        else {
            throw WriteRejection(
                "Use valid hh:mm:ss watched/total values (or leave both blank for 100%).")
        }
        try self.init(source: source, seconds: seen, of: all)
    }

    /// - Parameters:
    ///   - seen: Seconds; no more than the length.
    ///   - all: The length in seconds, below 100 hours; 0 for the whole video.
    /// - Throws: ``WriteRejection`` without a source.
    init(source: String, seconds seen: Int, of all: Int) throws(WriteRejection) {
        let source = try Self.source(source)
        kind = .clock
        guard all > 0 else {
            percent = 100
            value = "\(source)\(WatchedVideo.separator)100%"
            return
        }
        percent = Self.rounded(Double(seen) / Double(all) * 100)
        let times = "\(ClockText.text(seen))/\(ClockText.text(all))"
        value = "\(source)\(WatchedVideo.separator)\(times) (\(percent)%)"
    }

    private static func source(_ text: String) throws(WriteRejection) -> String {
        guard let source = text.trimmedOrNil else { throw WriteRejection("Choose a video.") }
        return source
    }

    /// Half up, from 0 to 100.
    private static func rounded(_ percent: Double) -> Int {
        Int((min(max(percent, 0), 100) + 0.5).rounded(.down))
    }
}
