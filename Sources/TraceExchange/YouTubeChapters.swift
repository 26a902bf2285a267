internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Lines of a video's description that YouTube shows as chapters.
///
/// YouTube skips all of them, and says nothing, unless the first is at 0:00, there are at least three, they ascend, and each
/// lasts ten seconds or more. So a start is added where there is none, and markers that follow each other faster share a line.
///
/// Source: YouTube Help, "Video Chapters".
struct YouTubeChapters: MarkerFormat {
    private let context: ExchangeContext

    init(_ context: ExchangeContext) { self.context = context }

    private static let shortest = SessionOffset(milliseconds: 10_000)
    private static let minimumCount = 3
    private static let filler = "Start"
    /// The most characters that a description has.
    private static let longestDescription = 5000
    /// How many titles of markers that share a line are shown.
    private static let joined = 3

    /// Whether the first marker is too late to be at 0:00 itself.
    private var needsFiller: Bool { context.first.map { $0 >= Self.shortest } ?? false }

    func begin(_ text: inout [UInt8]) {
        if needsFiller { text += "0:00 \(Self.filler)\n".utf8 }
    }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        let isFirst = item.number == 0 && !needsFiller
        text.append(wholeClock: isFirst ? .zero : item.marker.offset)
        text.append(UInt8(ascii: " "))
        let titles = ([item.marker] + item.others.prefix(Self.joined - 1)).map(title)
        let title = titles.joined(separator: " / ")
        let isLikeFiller = isFirst && title == Self.filler
        if isLikeFiller || TimedLine.isAmbiguous(title) { text += String(TimedLine.literalMark).utf8 }
        text += title.utf8
        let more = 1 + item.others.count - titles.count
        if more > 0 { text += " +\(more) more".utf8 }
        text.append(UInt8(ascii: "\n"))
    }

    /// A description takes no angle brackets.
    func title(of marker: Marker) -> String {
        let title = MarkerTitle.text(of: marker, isNeeded: true)
        guard title.utf8.contains(where: { $0 == 0x3C || $0 == 0x3E }) else { return title }
        return title.replacing("<", with: "‹").replacing(">", with: "›")
    }

    func resolved(_ offset: SessionOffset) -> SessionOffset {
        SessionOffset(milliseconds: offset.milliseconds / 1000 * 1000)
    }

    func entries(at offsets: some RandomAccessCollection<SessionOffset>) -> [Int]? {
        var starts: [Int] = []
        var last: SessionOffset?
        for (number, offset) in offsets.enumerated() {
            // As it will be written, in whole seconds.
            let second = number == 0 && !needsFiller ? .zero : resolved(offset)
            if last.map({ second >= $0.adding(Self.shortest) }) ?? true {
                starts.append(number)
                last = second
            }
        }
        // The last one lasts until the end.
        if let length = context.length, let last, starts.count > 1, length >= last,
            length < last.adding(Self.shortest)
        {
            starts.removeLast()
        }
        return starts
    }

    func notices(entries: Int, characters: Int) -> [String] {
        var notices: [String] = []
        let chapters = entries + (needsFiller ? 1 : 0)
        if needsFiller {
            notices.append("a line '0:00 \(Self.filler)' was added: YouTube requires one at 0:00")
        }
        let merged = context.count - entries
        if merged > 0 {
            notices.append(
                "\(counted(merged, "marker")) joined the line before: YouTube requires 10 seconds per chapter"
            )
        }
        if chapters < Self.minimumCount {
            notices.append(
                "warning: YouTube will not show chapters: it requires at least \(Self.minimumCount), and there "
                    + (chapters == 1 ? "is 1" : "are \(chapters)"))
        }
        if characters > Self.longestDescription {
            notices.append(
                "warning: the text has \(characters) characters, but a description can have \(Self.longestDescription)"
            )
        }
        return notices
    }

    // MARK: - Reading

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        var found: [(place: TextLine, line: TimedLine)] = []
        source.readLines(into: &read) { place, read throws(ExchangeProblem) in
            if place.isBlank { return }
            if !Self.isOfCue(place.text), let line = TimedLine(place.text) {
                found.append((place, line))
            } else {
                read.notTaken(.line, String(place.text))
            }
        }
        // A list has its times on one side; what ends with one in a list that has them in front is a sentence.
        let isTimeFirst = found.contains(where: \.line.isTimeFirst)
        for (place, line) in found where line.isTimeFirst != isTimeFirst {
            read.notTaken(.line, String(place.text))
        }
        found.removeAll { $0.line.isTimeFirst != isTimeFirst }
        let titles = Titles(found.map(\.line))
        for (place, line) in found {
            let (title, hasSecondTime) = titles.title(of: line)
            if hasSecondTime { read.notTaken(.secondTime) }
            if line.offset == .zero, title == Self.filler, !line.isLiteral, found.count > 1 {
                read.say(ImportNotice(.filler, "'0:00 \(Self.filler)' is skipped: YouTube requires it"))
                continue
            }
            var marker = ImportedMarker(at: place.place(source.file), line.offset, title: title)
            marker.note = line.link
            read.add(marker)
        }
    }

    /// What all lines have is no part of their titles: a separator behind the time, and a length at the end.
    private struct Titles {
        private let haveSeparators: Bool
        private let haveTimes: Bool

        init(_ lines: [TimedLine]) {
            let isFirst = lines.first?.isTimeFirst ?? false
            haveSeparators =
                isFirst && lines.allSatisfy { !$0.isLiteral && $0.titleWithoutSeparator != nil }
            // The last one may have none.
            haveTimes =
                isFirst && lines.count > 1
                && lines.dropLast().allSatisfy { !$0.isLiteral && $0.titleWithoutTime != nil }
        }

        func title(of line: TimedLine) -> (title: String, hasSecondTime: Bool) {
            var line = line
            if line.isLiteral { return (line.title, line.hasSecondTime) }
            if haveSeparators, let title = line.titleWithoutSeparator { line.title = title }
            guard haveTimes, let title = line.titleWithoutTime else {
                return (line.title, line.hasSecondTime)
            }
            return (title, true)
        }
    }

    /// Whether it is the times of a caption, as SubRip (.srt) has them: none of its lines is a chapter.
    private static func isOfCue(_ line: Substring) -> Bool {
        guard let arrow = line.firstRange(of: "-->") else { return false }
        let (before, behind) = (line[..<arrow.lowerBound], line[arrow.upperBound...])
        return before.last { $0 != " " }?.isNumber ?? false && behind.first { $0 != " " }?.isNumber ?? false
    }

    /// Whether lines are a list of chapters: some begin with a time, or all end with one.
    static func isList(_ lines: [Substring]) -> Bool {
        if lines.contains(where: isOfCue) { return false }
        let timed = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { TimedLine($0) }
        if timed.contains(where: { $0?.isTimeFirst ?? false }) { return true }
        return !timed.isEmpty && timed.allSatisfy { $0 != nil }
    }
}
