import TestRandomness
import Testing
import TraceFuzzing
import TraceText

@testable import TraceFormat

/// Whatever a file or a person says for an offset, a length or a moment, arithmetic with it neither wraps nor traps.
struct ExtremeNumberTests {
    /// Numbers at which something ends, those beside them, and any others.
    private static func number(_ random: inout SeededRandom) -> Int64 {
        let ends: [Int64] = [
            .min, -253_402_300_799_999, -62_167_219_200_000, -86_400_000, -1, 0, 1, 999, 59_999, 3_599_999,
            86_400_000,
            4_294_967_296, 9_223_372_036_854, 253_402_300_799_999, 1 << 53, 1 << 62, .max / 1000, .max / 2,
            .max,
        ]
        let end = random.element(of: ends)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .random(in: .min ... .max, using: &random)
        case 1: return end &+ .random(in: -2...2, using: &random)
        default: return end
        }
    }

    private static func offset(_ random: inout SeededRandom) -> SessionOffset {
        let number = number(&random)
        return SessionOffset(milliseconds: number < 0 ? .max &+ number &+ 1 : number)
    }

    private static func clamped(_ number: Int128) -> Int64 { Int64(clamping: number) }

    @Test(arguments: 1...200) func `sums and distances of moments are right, or the nearest that there is`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let (one, other) = (Self.number(&random), Self.number(&random))
            let (first, second) = (Timestamp(milliseconds: one), Timestamp(milliseconds: other))
            #expect(first - second == Self.clamped(Int128(one) - Int128(other)))
            let sum = first + SessionOffset(milliseconds: other)
            #expect(sum.milliseconds == Self.clamped(Int128(one) + Int128(other)))
            #expect(Timestamp(first.description) == first.clamped)
        }
    }

    @Test(arguments: 1...200) func `an offset of any size is read as itself, or refused`(seed: UInt64) throws
    {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let (one, other) = (Self.number(&random), Self.number(&random))
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

    private static func session(_ random: inout SeededRandom) -> Session {
        var session = DigestSample.session(
            status: Bool.random(using: &random) ? .active : .closed, length: nil)
        session.startTime = Timestamp(milliseconds: number(&random))
        if Bool.random(using: &random) { session.endTime = Timestamp(milliseconds: number(&random)) }
        if Bool.random(using: &random) { session.duration = offset(&random) }
        return session
    }

    private static func markers(_ random: inout SeededRandom) -> [Marker] {
        (0..<8).map { number in
            DigestSample.marker(
                number, at: offset(&random).milliseconds, "Take \(number)",
                tags: [random.element(of: ["highlight", "fix-review", "structure", "x"])],
                duration: Bool.random(using: &random) ? offset(&random).milliseconds : nil)
        }
    }

    @Test(arguments: 1...100) func `a digest of any offsets, lengths and moments is rendered in every form`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let entries = (0..<4).map { (number: Int) -> PracticeDigest.Entry in
            let digest = Digest(
                session: Self.session(&random), markers: Self.markers(&random),
                voiceNotes: [DigestSample.voiceNote(number, at: Self.offset(&random).milliseconds)],
                now: Timestamp(milliseconds: Self.number(&random)))
            #expect(digest.markdown().hasPrefix("# "))
            #expect(!digest.terminal(columns: 80, styled: true).text.isEmpty)
            #expect(digest.html(PageMedia()).contains("</html>"))
            #expect(digest.json().bytes.first == UInt8(ascii: "{"))
            return PracticeDigest.Entry(digest, path: "/srv/\(number)")
        }
        let practice = PracticeDigest(entries)
        #expect(practice.markdown().hasPrefix("# "))
        #expect(!practice.terminal(columns: 80, styled: true).text.isEmpty)
        #expect(practice.html().contains("</html>"))
        #expect(practice.json().bytes.first == UInt8(ascii: "{"))
    }

    @Test(arguments: ExchangeFormat.allCases, 1...20)
    func `an export of any offsets and lengths is written or refused`(format: ExchangeFormat, seed: UInt64)
        throws
    {
        var random = SeededRandom(seed: seed)
        let markers = Self.markers(&random).sorted { $0.offset < $1.offset }
        for rate in ["1", "23.976", "240", "1000000/4167", "30000/1001"] {
            var context = ExchangeSample.context(markers, format)
            context.frameRate = FrameRate(rate)
            if Bool.random(using: &random) { context.length = Self.offset(&random) }
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

    @Test(arguments: 1...100) func `a header of any numbers is checked and mended`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let header = """
            {"id":"\(DigestSample.id(1))","created_at":"0000-01-01T00:00:00Z","updated_at":"9999-12-31T23:59:59.999Z",\
            "status":"closed","start_time":"\(Timestamp(milliseconds: Self.number(&random)))",\
            "end_time":"\(Timestamp(milliseconds: Self.number(&random)))","duration_ms":\(Self.number(&random)),\
            "timeline_path":"timeline.jsonl","markers_path":"markers.jsonl","transcript_path":null,"voice_notes_path":null,\
            "digest_path":null,"media":[{"id":"\(DigestSample.id(2))","kind":"audio","path":"media/a","mime":"audio/mp4",\
            "created_at":"2026-02-04T20:00:00Z","start_offset_ms":\(Self.number(&random)),\
            "duration_ms":\(Self.number(&random))}]}
            """
        try FuzzTarget.session.check(Array(header.utf8))
    }
}
