internal import Glibc
internal import RecordFormat
import TraceExchange
import TraceFormat
import TraceStore
import TraceText

/// The readers of other programs' markers. The first byte chooses the format, unless `TRACE_FUZZ_FORMAT` names one; the rest is the file.
struct ExchangeFuzzing {
    private let format: ExchangeFormat
    private let bytes: [UInt8]

    /// The one that is to get all of the time.
    private static let only = getenv("TRACE_FUZZ_FORMAT").map { name in
        let name = String(cString: name)
        guard let format = ExchangeFormat.allCases.first(where: { $0.rawValue == name }) else {
            fatalError("TRACE_FUZZ_FORMAT '\(name)' is not a format")
        }
        return format
    }

    init(_ input: [UInt8]) {
        let formats = ExchangeFormat.allCases
        format = Self.only ?? formats[Int(input.first ?? 0) % formats.count]
        bytes = Array(input.dropFirst())
    }

    func check() throws {
        _ = ExchangeFormat.guess(bytes, extension: nil)
        var context = ExchangeContext()
        context.frameRate = format == .edl ? FrameRate("25") : nil
        let reader = try format.format(context)
        let read = reader.read(ImportSource(bytes, file: "x"))
        let starts = [0] + bytes.indices.filter { endsLine(at: $0) }.map { $0 + 1 }
        for place in read.problems.map(\.place) + read.markers.map(\.place) {
            try require(
                (1...starts.count).contains(place.line) && (0...bytes.count).contains(place.byteOffset)
                    && place.byteOffset >= starts[place.line - 1]
                    && (place.line == starts.count || place.byteOffset < starts[place.line]),
                "a place outside the file: \(place)")
        }
        for problem in read.problems {
            try require(
                !problem.message.isEmpty && !problem.message.contains("\n") && problem.cure?.text != nil,
                "a problem without words: \(problem)")
        }
        guard read.problems.isEmpty else { return }
        try checkAgain(read.markers, reader)
    }

    /// Whether a line ends with this byte: with `\n`, or `\r` without one behind it.
    private func endsLine(at position: Int) -> Bool {
        bytes[position] == 0x0A
            || bytes[position] == 0x0D && (position + 1 == bytes.count || bytes[position + 1] != 0x0A)
    }

    /// What was read can be written and read, and is the same then.
    private func checkAgain(_ read: [ImportedMarker], _ reader: any MarkerFormat) throws {
        let id = ULID(milliseconds: 0, digest: [])
        let markers = read.filter { $0.offset >= .zero && $0.offset.milliseconds < 80_000_000 }.prefix(500)
            .map {
                $0.marker(id: id, now: Timestamp(milliseconds: 0))
            }.sorted { $0.offset < $1.offset }
        // YouTube joins what comes too fast, so that fewer come back.
        if format == .youtube { return }
        var text: [UInt8] = []
        reader.begin(&text)
        for (number, marker) in markers.enumerated() {
            let next = number + 1 < markers.count ? markers[number + 1].offset : nil
            reader.write(ExportItem(marker, number: number, next: next), to: &text)
        }
        reader.end(&text)
        let again = reader.read(ImportSource(text, file: "x"))
        try require(
            again.problems.isEmpty
                && again.markers.map(\.offset) == markers.map { reader.resolved($0.offset) },
            "written and read again, they are others: \(again.problems)")
    }
}
