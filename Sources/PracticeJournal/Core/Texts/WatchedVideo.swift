internal import RecordFormat

/// What the value of a video's progress says: `Tutorial 1 • 00:10:00/01:00:00 (17%)`, `Gameplay 2 • 60%`.
///
/// Source: docs/spec/practice.md#composed-texts.
package struct WatchedVideo: Sendable, Equatable {
    /// As it is written.
    let value: String
    /// clock or percent; a newer app may know others.
    package let kind: String?
    /// Which video; nil if the value is of another form, as are the times.
    package private(set) var source: String?
    /// Milliseconds, as the length.
    package private(set) var watched: Int?
    package private(set) var length: Int?

    /// What is between the video and how far it was watched.
    static let separator = " • "

    package init(_ value: String, kind: String? = nil) {
        let value = value.trimmed
        self.value = value
        self.kind = kind
        guard let mark = value.ranges(of: Self.separator).last,
            let name = String(value[..<mark.lowerBound]).trimmedOrNil
        else { return }
        let parts = value[mark.upperBound...].split(separator: " ", omittingEmptySubsequences: false)
        let times = parts[0].split(separator: "/", omittingEmptySubsequences: false).compactMap {
            ClockText.seconds(String($0))
        }
        if parts.count == 2, times.count == 2 {
            (source, watched, length) = (name, times[0] * 1000, times[1] * 1000)
        } else if parts.count == 1, parts[0].hasSuffix("%") {
            source = name
        }
    }
}

/// A position in a video, or its length, as people write it: `H:MM:SS`.
enum ClockText {
    /// Nil if it is not of that form. Hours have one digit or two.
    static func seconds(_ text: String) -> Int? {
        let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
        }
        guard parts.count == 3, numbers.count == 3, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts[2].count == 2, numbers[1] < 60, numbers[2] < 60
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }

    static func text(_ seconds: Int) -> String {
        [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }
}
