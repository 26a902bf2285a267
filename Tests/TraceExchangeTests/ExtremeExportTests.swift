import FormatHarness
import TestSupport
import Testing
import TraceFormat
import TraceStore

@testable import TraceExchange

/// Whatever a session says for an offset or a length, an export of it neither wraps nor traps.
struct ExtremeExportTests {
    @Test(arguments: ExchangeFormat.allCases, 1...20)
    func `an export of any offsets and lengths is written or refused`(format: ExchangeFormat, seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        let markers = ExtremeNumbers.markers(&random).sorted { $0.offset < $1.offset }
        for rate in ["1", "23.976", "240", "1000000/4167", "30000/1001"] {
            var context = ExchangeSample.context(markers, format)
            context.frameRate = FrameRate(rate)
            if Bool.random(using: &random) { context.length = ExtremeNumbers.offset(&random) }
            guard let writer = try? format.format(context) else { continue }
            var text: [UInt8] = []
            let starts = writer.entries(at: markers.map(\.offset)) ?? Array(markers.indices)
            writer.begin(&text)
            for (number, start) in starts.enumerated() {
                let next = number + 1 < starts.count ? markers[starts[number + 1]].offset : nil
                writer.write(ExportItem(markers[start], number: number, next: next), to: &text)
            }
            writer.end(&text)
            _ = writer.notices(entries: starts.count, characters: text.count)
            _ = try? ExchangeSample.read(text, format, fps: rate)
        }
    }
}
