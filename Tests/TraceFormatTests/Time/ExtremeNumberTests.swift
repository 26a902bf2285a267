import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFuzzing
import TraceText

@testable import TraceFormat

/// Whatever a file or a person says for an offset, a length or a moment, arithmetic with it neither wraps nor traps.
struct ExtremeNumberTests {
    private static func clamped(_ number: Int128) -> Int64 { Int64(clamping: number) }

    @Test(arguments: 1...200) func `sums and distances of moments are right, or the nearest that there is`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let (one, other) = (ExtremeNumbers.number(&random), ExtremeNumbers.number(&random))
            let (first, second) = (Timestamp(milliseconds: one), Timestamp(milliseconds: other))
            #expect(first.milliseconds(since: second) == Self.clamped(Int128(one) - Int128(other)))
            let sum = first.adding(SessionOffset(milliseconds: other))
            #expect(sum.milliseconds == Self.clamped(Int128(one) + Int128(other)))
            #expect(Timestamp(first.description) == first.clamped)
        }
    }

    @Test(arguments: 1...200) func `an offset of any size is read as itself, or refused`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let (one, other) = (ExtremeNumbers.number(&random), ExtremeNumbers.number(&random))
            let texts = [
                "\(one)", "+\(one)s", "-\(one)ms", "\(one):\(other)", "\(one):59:\(other)",
                "\(one)h\(other)m", "\(one)m0.001s",
                "\(one).999s", "\(one).0", "\(one)e\(other)", "1e\(other)", "\(one).5h",
            ]
            for text in texts {
                do throws(FormatError) { _ = try OffsetExpression(text) } catch {
                    #expect(error.code == .offsetMalformed)
                }
                do throws(FormatError) { _ = try OffsetExpression.duration(text) } catch {
                    #expect(error.code == .offsetMalformed)
                }
            }
            if one >= 0 {
                #expect(try OffsetExpression("\(one)") == .absolute(SessionOffset(milliseconds: one)))
            }
            let shown = SessionOffset(milliseconds: one)
            #expect(shown.description.hasPrefix(shown.clock))
        }
    }

    @Test(arguments: 1...100) func `a header of any numbers is checked and mended`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let header = """
            {"id":"\(RecordSample.id(1))","created_at":"0000-01-01T00:00:00Z","updated_at":"9999-12-31T23:59:59.999Z",\
            "status":"closed","start_time":"\(Timestamp(milliseconds: ExtremeNumbers.number(&random)))",\
            "end_time":"\(Timestamp(milliseconds: ExtremeNumbers.number(&random)))","duration_ms":\(ExtremeNumbers.number(&random)),\
            "timeline_path":"timeline.jsonl","markers_path":"markers.jsonl","transcript_path":null,"voice_notes_path":null,\
            "digest_path":null,"media":[{"id":"\(RecordSample.id(2))","kind":"audio","path":"media/a","mime":"audio/mp4",\
            "created_at":"2026-02-04T20:00:00Z","start_offset_ms":\(ExtremeNumbers.number(&random)),\
            "duration_ms":\(ExtremeNumbers.number(&random))}]}
            """
        try FuzzTarget.session.check(Array(header.utf8))
    }
}
