import RecordFormat
import Testing
import TraceFormat
import TraceStore

@testable import TraceExchange

/// Markers whose texts break whatever can be broken, and how they are written.
enum ExchangeSample {
    static func id(_ number: Int) -> ULID {
        ULID(milliseconds: 1_770_000_000_000 + Int64(number), digest: [UInt8(truncatingIfNeeded: number)])
    }

    static func marker(
        _ number: Int, at offset: Int64, _ label: String?, note: String? = nil, tags: [String] = [],
        duration: Int64? = nil, voiceNote: Int? = nil
    ) -> Marker {
        Marker(
            id: id(number), offset: SessionOffset(milliseconds: offset),
            createdAt: Timestamp(milliseconds: 1_770_000_000_123),
            label: label, note: note, tags: tags, duration: duration.map { SessionOffset(milliseconds: $0) },
            voiceNoteID: voiceNote.map(id))
    }

    static let markers = [
        marker(1, at: 0, "First", note: "more, \"words\"\nand\ta tab", tags: ["structure"]),
        marker(2, at: 12_500, "tab\there", tags: ["highlight", "take-2"]),
        marker(3, at: 12_500, "it's a \"quote\""),
        marker(4, at: 20_000, "line\nbreak\r\nand \u{2028}more", duration: 5_250),
        marker(5, at: 31_001, "a --> b & <c>", tags: ["fix-review"]),
        marker(6, at: 45_999, "bar | pipe || |D:7 end"),
        marker(7, at: 60_000, "k=v; # hash \\ back\\n"),
        marker(8, at: 75_250, "👩‍👩‍👧‍👦 🎸 e\u{301}"),
        marker(9, at: 3_600_000, "שלום עולם \u{202E}x\u{202C}", tags: ["texture-sample"]),
        marker(10, at: 3_661_001, String(repeating: "long", count: 2500)),
        marker(11, at: 3_700_000, nil, tags: ["highlight", "x"]),
        marker(12, at: 3_800_000, nil),
        marker(13, at: 35_999_999, "=1+1", note: "@SUM(A1)", duration: 1, voiceNote: 99),
    ]

    static func context(_ markers: [Marker], _ format: ExchangeFormat) -> ExchangeContext {
        var context = ExchangeContext()
        context.title = "Late set = \"A|B\""
        context.length = SessionOffset(milliseconds: 36_012_000)
        context.frameRate = format == .edl ? FrameRate("25") : nil
        context.count = markers.count
        context.first = markers.first?.offset
        context.last = markers.last?.offset
        return context
    }

    /// What is written of markers in the order of their offsets.
    static func text(_ markers: [Marker], _ format: ExchangeFormat, _ context: ExchangeContext? = nil) throws
        -> [UInt8]
    {
        let writer = try format.format(context ?? Self.context(markers, format))
        let starts = writer.entries(at: markers.map(\.offset)) ?? Array(markers.indices)
        var text: [UInt8] = []
        writer.begin(&text)
        for (number, start) in starts.enumerated() {
            let end = number + 1 < starts.count ? starts[number + 1] : markers.count
            writer.write(
                ExportItem(
                    markers[start], others: Array(markers[(start + 1)..<end]),
                    line: markers[start].json.bytes,
                    number: number, next: end < markers.count ? markers[end].offset : nil),
                to: &text)
        }
        writer.end(&text)
        return text
    }

    static func read(
        _ text: [UInt8], _ format: ExchangeFormat, fps: String? = nil, isStrict: Bool = false
    ) throws -> ImportedMarkers {
        var context = ExchangeContext()
        context.frameRate = fps.flatMap { FrameRate($0) } ?? (format == .edl ? FrameRate("25") : nil)
        return try format.format(context).read(
            ImportSource(text, file: "x"), isStrict: isStrict)
    }
}

extension ExchangeFormat: CustomTestStringConvertible {
    /// As it is typed.
    public var testDescription: String { rawValue }

    /// What a format keeps of a marker, besides its offset and its label.
    var keeps: Set<Part> {
        switch self {
        case .csv, .tsv, .jsonl, .otio: [.id, .tags, .note, .duration, .wholeLabel]
        case .audacity, .reaper, .podcast: [.duration]
        case .edl: [.duration, .noteLine]
        case .webvtt: [.id]
        case .ffmetadata, .youtube: []
        }
    }

    enum Part { case id, tags, note, noteLine, duration, wholeLabel }
}
