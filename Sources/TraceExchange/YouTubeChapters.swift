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
        text += titles.joined(separator: " / ").utf8
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
        var passed = 0
        var found: [(line: TextLine, offset: SessionOffset, title: String)] = []
        source.readLines(into: &read) { line, _ throws(ExchangeProblem) in
            if line.isBlank { return }
            guard let entry = Self.entry(String(line.text)) else {
                passed += 1
                return
            }
            found.append((line, entry.offset, entry.title))
        }
        // Some write '0:00 - Intro'; where all do, it is no part of the titles.
        let separator = Self.separators.first { separator in
            !found.isEmpty && found.allSatisfy { $0.title.hasPrefix(separator) }
        }
        for entry in found {
            let title = separator.map { String(entry.title.dropFirst($0.count)) } ?? entry.title
            if entry.offset == .zero, title == Self.filler {
                read.notices.append("'0:00 \(Self.filler)' is skipped: YouTube requires it")
                continue
            }
            read.add(
                ImportedMarker(at: entry.line.place(source.file), entry.offset, title: title))
        }
        if passed > 0 {
            read.notices.append(
                "\(counted(passed, "line")) without a time \(passed == 1 ? "is" : "are") skipped"
            )
        }
    }

    private static let separators = ["- ", "– ", "— ", "| ", ": "]

    /// What a line tells: a time, in brackets or not, and a title.
    static func entry(_ line: String) -> (offset: SessionOffset, title: String)? {
        var rest = line[...]
        while let first = rest.first, first.isWhitespace || first == "•" || first == "\u{FEFF}" {
            rest.removeFirst()
        }
        let closing: Character? = rest.first == "(" ? ")" : rest.first == "[" ? "]" : nil
        if closing != nil { rest.removeFirst() }
        let clock = rest.prefix { $0 == ":" || ("0"..."9").contains($0) }
        guard let offset = ExchangeTime.clock(clock) else { return nil }
        rest = rest.dropFirst(clock.count)
        if let closing {
            guard rest.first == closing else { return nil }
            rest.removeFirst()
        }
        guard rest.first?.isWhitespace ?? true else { return nil }
        let title = rest.drop(while: \.isWhitespace)
        return (offset, String(title.reversed().drop(while: \.isWhitespace).reversed()))
    }
}
