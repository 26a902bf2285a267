internal import RecordFormat

/// The formats in which markers go to other programs and come from them.
///
/// Source: docs/exchange.md, which says of each what it keeps.
package enum ExchangeFormat: String, Sendable, CaseIterable {
    /// Audacity's label track.
    case audacity
    /// REAPER's list of regions and markers.
    case reaper
    /// Comma-separated values with all that a marker has.
    case csv
    /// The same, separated by tabs.
    case tsv
    /// The records as they are in `markers.jsonl`.
    case jsonl
    /// The lines of a YouTube description that become chapters.
    case youtube
    /// Chapters of a podcast episode.
    case podcast
    /// Chapters as `ffmpeg` reads them.
    case ffmetadata
    /// Chapters of a `<track>` in a web page.
    case webvtt
    /// Markers of DaVinci Resolve, as a CMX 3600 edit decision list.
    case edl
    /// An OpenTimelineIO timeline.
    case otio

    /// The format's way of writing and reading.
    ///
    /// - Throws: ``ExchangeError`` with `.exchangeImpossible` if the format can't hold what is to be written, or lacks a frame
    ///   rate.
    package func format(_ context: ExchangeContext) throws(ExchangeError) -> any MarkerFormat {
        switch self {
        case .audacity: AudacityLabels()
        case .reaper: ReaperMarkers()
        case .csv: DelimitedMarkers(spelling: .csv, context)
        case .tsv: DelimitedMarkers(spelling: .tsv, context)
        case .jsonl: MarkerLines()
        case .youtube: YouTubeChapters(context)
        case .podcast: PodcastChapters(context)
        case .ffmetadata: FFMetadata(context)
        case .webvtt: WebVTTChapters(context)
        case .edl: try EditDecisionList(context)
        case .otio: OpenTimeline(context)
        }
    }

    /// What the extension of a file's name tells, where it tells it for certain; `.txt`, `.csv` and `.json` need a look into
    /// the file.
    package static func of(extension name: String) -> ExchangeFormat? {
        switch name.lowercased() {
        case "csv": .csv
        case "tsv", "tab": .tsv
        case "jsonl", "ndjson": .jsonl
        case "vtt": .webvtt
        case "edl": .edl
        case "otio": .otio
        case "ffmeta", "ffmetadata": .ffmetadata
        default: nil
        }
    }

    /// The format of a file: what its contents say, else its extension.
    ///
    /// - Returns: Nil if neither tells.
    package static func guess(_ text: [UInt8], extension name: String?) -> ExchangeFormat? {
        let head = String(decoding: text.prefix(64 << 10), as: UTF8.self)
        let lines = head.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        let first = lines.first { !$0.allSatisfy(\.isWhitespace) }.map(String.init) ?? ""
        let start = first.hasPrefix("\u{FEFF}") ? String(first.dropFirst()) : first
        if start.hasPrefix("WEBVTT") { return .webvtt }
        if start.hasPrefix(";FFMETADATA") { return .ffmetadata }
        if start.hasPrefix("{") {
            if head.contains("\"OTIO_SCHEMA\"") { return .otio }
            if head.contains("\"offset_ms\"") { return .jsonl }
            return head.contains("\"chapters\"") ? .podcast : name.flatMap(of(extension:))
        }
        let columns = start.lowercased()
        if columns.hasPrefix("#,name,start") || columns.hasPrefix("\"#\",\"name\"") { return .reaper }
        if columns.hasPrefix("title:") || columns.hasPrefix("fcm:") { return .edl }
        let isTable = columns.contains("offset_ms")
        // Our own tables have escapes where those of others have quotes.
        if isTable, columns.contains("\t"), !columns.contains(","), !columns.contains(";") { return .tsv }
        if let known = name.flatMap(of(extension:)) { return known }
        if isTable { return .csv }
        if AudacityLabels.isLabel(start) { return .audacity }
        if start.hasPrefix("CHAPTER0") { return nil }
        return YouTubeChapters.isList(lines) ? .youtube : nil
    }
}

/// What is known of all markers that are written together, and of what they belong to.
package struct ExchangeContext: Sendable {
    /// What the session is called.
    var title = ""
    /// How long the session is, or the recording from whose start the offsets count.
    var length: SessionOffset?
    /// How far that has come, where the session is still active and its length is not known.
    var now: SessionOffset?
    /// Where times are counted in frames.
    package var frameRate: FrameRate?
    /// From which timecode a file counts that is read; nil if the file tells.
    var start: StartCode?
    /// The unit of numbers in a file that names none; nil if the file tells.
    var unit: TimeUnit?
    /// The number of markers.
    var count = 0
    /// Where the first of them stands.
    var first: SessionOffset?
    /// Where the last of them stands.
    var last: SessionOffset?
    /// Whether something must be at 0.
    var startsAtZero = false
    /// How many bytes a title may have; longer ones are cut.
    var longestTitle: Int?

    package init() {}
}
