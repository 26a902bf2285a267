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
        value = "\(try Self.source(source)) • \(self.percent)%"
    }

    /// - Parameters:
    ///   - watched: `H:MM:SS` or `HH:MM:SS`, like `total`; the whole video if both are blank, or zero.
    /// - Throws: ``WriteRejection`` without a source, and for texts that are not such times.
    package init(source: String, watched: String, total: String) throws(WriteRejection) {
        let source = try Self.source(source)
        kind = .clock
        let isBlank = watched.isBlank && total.isBlank
        guard let seen = isBlank ? 0 : Self.seconds(watched), let all = isBlank ? 0 : Self.seconds(total),
            seen <= all
        else {
            throw WriteRejection(
                "Use valid hh:mm:ss watched/total values (or leave both blank for 100%).")
        }
        guard all > 0 else {
            percent = 100
            value = "\(source) • 100%"
            return
        }
        percent = Self.rounded(Double(seen) / Double(all) * 100)
        value = "\(source) • \(Self.clock(seen))/\(Self.clock(all)) (\(percent)%)"
    }

    private static func source(_ text: String) throws(WriteRejection) -> String {
        guard let source = text.trimmedOrNil else { throw WriteRejection("Choose a video.") }
        return source
    }

    /// Half up, from 0 to 100.
    private static func rounded(_ percent: Double) -> Int {
        Int((min(max(percent, 0), 100) + 0.5).rounded(.down))
    }

    private static func seconds(_ text: String) -> Int? {
        let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
        }
        guard parts.count == 3, numbers.count == 3, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts[2].count == 2, numbers[1] < 60, numbers[2] < 60
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }

    private static func clock(_ seconds: Int) -> String {
        [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
