package import RecordFormat
package import TraceFormat
package import TraceStore
internal import TraceText

/// Which markers of a session are to be exported, and how: `trace export`.
package struct ExportRequest: Sendable {
    var format: ExchangeFormat
    /// Only markers that have all of these.
    var tags: [String]
    /// By how much markers are moved earlier, in the grammar of ``OffsetExpression/duration(_:)``.
    var lead: String?
    /// Frames a second, for formats that count them.
    var frameRate: String?
    /// The recording from whose start times count, and outside which markers are left out; nil for the whole session.
    var media: MediaItem?
    /// What the file demands that the markers go into as chapters; nil if they go into none.
    var chapters: Chapters?

    /// What a media file demands of its chapters.
    package struct Chapters: Sendable {
        /// Whether something must be at 0.
        var startsAtZero: Bool
        /// How many bytes a title may have.
        var longestTitle: Int

        /// Chapters with these limits.
        package init(startsAtZero: Bool, longestTitle: Int) {
            self.startsAtZero = startsAtZero
            self.longestTitle = longestTitle
        }
    }

    /// An export of all markers, or of some.
    package init(
        _ format: ExchangeFormat, tags: [String] = [], lead: String? = nil, frameRate: String? = nil,
        media: MediaItem? = nil, chapters: Chapters? = nil
    ) {
        self.format = format
        self.tags = tags
        self.lead = lead
        self.frameRate = frameRate
        self.media = media
        self.chapters = chapters
    }

    /// The markers that are asked for.
    ///
    /// - Parameters:
    ///   - header: What `session.json` says.
    ///   - name: What the session is called if it has no title.
    ///   - now: Until when the last chapter of a session lasts that is still active.
    /// - Throws: ``ExchangeError`` with `.frameRateUnused` or `.frameRateMalformed`; ``FormatError`` with `.offsetMalformed` for
    ///   the lead; ``FileError``.
    package func markers(
        of session: SessionReader, _ header: Session, named name: String, now: Timestamp = Clock.now()
    ) throws -> MarkerFile {
        try format.refuse(frameRate: frameRate, among: [.edl, .otio])
        var choice = OrderedMarkers.Choice()
        choice.tags = tags.map { $0.lowercased() }
        choice.origin = media?.startOffset ?? .zero
        choice.length = media?.duration
        choice.lead = try lead.map { try OffsetExpression.duration($0) } ?? .zero
        let markers = try OrderedMarkers(in: session, choice)
        var exchange = ExchangeContext()
        exchange.title = header.displayTitle?.oneLine ?? name
        // A recording of which nobody knows how long it is ends with the session.
        exchange.length =
            media.map { $0.duration ?? header.duration?.subtracting($0.startOffset ?? .zero) }
            ?? header.duration
        if exchange.length == nil, header.status == .active, let clock = try session.clock(of: header) {
            exchange.now = clock.offset(at: now).subtracting(choice.origin)
        }
        exchange.frameRate = try FrameRate.typed(frameRate)
        exchange.count = markers.count
        exchange.first = markers.offsets.first
        exchange.last = markers.offsets.last
        exchange.startsAtZero = chapters?.startsAtZero ?? false
        exchange.longestTitle = chapters?.longestTitle
        return MarkerFile(
            markers: markers, format: format, exchange: exchange, sessionID: header.id, mediaID: media?.id)
    }
}

/// Markers of a session as another program reads them.
package struct MarkerFile {
    private let markers: OrderedMarkers
    let format: ExchangeFormat
    private let exchange: ExchangeContext
    private let sessionID: ULID?
    private let mediaID: ULID?

    fileprivate init(
        markers: OrderedMarkers, format: ExchangeFormat, exchange: ExchangeContext, sessionID: ULID?,
        mediaID: ULID?
    ) {
        self.markers = markers
        self.format = format
        self.exchange = exchange
        self.sessionID = sessionID
        self.mediaID = mediaID
    }

    /// How many markers it has.
    package var count: Int { markers.count }

    /// How long the session is, or the recording from whose start times count.
    package var length: SessionOffset? { exchange.length }

    /// Writes it, piece by piece.
    ///
    /// - Returns: What a person should know of it.
    /// - Throws: ``ExchangeError`` with `.exchangeImpossible` before the first piece; ``FileError``; what `take` throws.
    package func write(_ take: ([UInt8]) throws -> Void) throws -> [String] {
        let writer = try format.format(exchange)
        var characters = 0
        let entries = try markers.write(writer) { piece in
            if format == .youtube { characters += piece.count { $0 & 0xC0 != 0x80 } }
            try take(piece)
        }
        var notices = writer.notices(entries: entries, characters: characters)
        if markers.outside > 0 {
            notices.append(
                "\(counted(markers.outside, "marker")) outside the recording \(markers.outside == 1 ? "is" : "are") left out"
            )
        }
        if markers.unreadable > 0 {
            notices.append(
                "warning: \(counted(markers.unreadable, "line")) of markers.jsonl can't be read; 'trace validate' shows why"
            )
        }
        return notices
    }

    /// The export with the keys of docs/cli-json.md.
    ///
    /// - Parameter file: Where it was written; nil if that is not to be named.
    package func json(file: String?) -> JSONText {
        .object { object in
            object.member("file", file.map { JSONText($0) })
            object.member("format", JSONText(format.rawValue))
            object.member("marker_count", JSONText(Int64(count)))
            object.member("left_out", JSONText(Int64(markers.outside)))
            object.member("session_id", sessionID.map { JSONText($0) })
            object.member("media_id", mediaID.map { JSONText($0) })
        }
    }
}
