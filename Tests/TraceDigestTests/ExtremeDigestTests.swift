import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceText

@testable import TraceDigest

/// Whatever a session says for an offset, a length or a moment, there is a digest of it.
struct ExtremeDigestTests {
    @Test(arguments: 1...100) func `a digest of any offsets, lengths and moments is rendered in every form`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let entries = (0..<4).map { (number: Int) -> CombinedDigest.Entry in
            let digest = Digest(
                session: ExtremeNumbers.session(&random), markers: ExtremeNumbers.markers(&random),
                voiceNotes: [RecordSample.voiceNote(number, at: ExtremeNumbers.offset(&random).milliseconds)],
                now: Timestamp(milliseconds: ExtremeNumbers.number(&random)))
            #expect(digest.markdown().hasPrefix("# "))
            #expect(!digest.terminal(columns: 80, styled: true).text.isEmpty)
            #expect(digest.html(PageMedia()).contains("</html>"))
            #expect(digest.json().bytes.first == UInt8(ascii: "{"))
            return CombinedDigest.Entry(digest, path: "/srv/\(number)")
        }
        let practice = CombinedDigest(entries)
        #expect(practice.markdown().hasPrefix("# "))
        #expect(!practice.terminal(columns: 80, styled: true).text.isEmpty)
        #expect(practice.html().contains("</html>"))
        #expect(practice.json().bytes.first == UInt8(ascii: "{"))
    }
}
