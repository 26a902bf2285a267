import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceText

@testable import TraceDigest

struct MarkerCategoryTests {
    @Test(arguments: [
        ("highlight", MarkerCategory.highlight), ("structure", .structure), ("texture-sample", .texture),
        ("texture_sample", .texture), ("fix-review", .fix), ("fix_review", .fix), ("fix", nil), ("", nil),
    ])
    func `a category has the format's spelling and the widget's`(tag: String, category: MarkerCategory?) {
        #expect(MarkerCategory(tag: tag) == category)
        #expect(MarkerCategories([tag]).first == category)
        #expect(RecordSample.marker(1, at: 0, tags: [tag]).categories == [category].compactMap(\.self))
        #expect(MarkerCategory.spellings(of: tag).contains(tag))
    }

    @Test func `in a digest both spellings count as the category and are called so`() throws {
        let digest = Digest(
            session: RecordSample.session(),
            markers: [
                RecordSample.marker(1, at: 1000, tags: ["texture_sample"]),
                RecordSample.marker(2, at: 2000, tags: ["texture-sample"]),
                RecordSample.marker(3, at: 3000, "Late", tags: ["fix_review", "bass"]),
            ])
        #expect(digest.categoryCounts == [.texture: 2, .fix: 1])
        #expect(digest.fixes.items.map(\.name.text) == ["Late"])
        let text = digest.markdown()
        #expect(text.contains("- **0:01** Texture\n- **0:02** Texture\n"), "\(text)")
        #expect(text.contains("- [ ] **0:03** Late (bass)\n"), "\(text)")
    }

    @Test func `so do they where only the line is read`() throws {
        let line =
            #"{"id":"01KGNQZP00000000000000000E","offset_ms":5,"created_at":"2026-02-04T20:00:00.000Z","source":"user","tags":["fix_review"]}"#
        let checker = try RecordChecker(.marker)
        let categories = PaddedBytes.withLine(Array(line.utf8)) { line in
            checker.check(line) { _ in }.map { record in
                MarkerCategories(record[RecordSchema.marker.slot("tags")]?.elements)
            }
        }
        #expect(categories?.first == .fix)
    }
}
