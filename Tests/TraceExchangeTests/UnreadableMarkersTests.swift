import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceExchange
import TraceStore
import TraceText

/// What an export and an import make of lines and titles that are not as they should be.
struct UnreadableMarkersTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private func unreadable(_ lines: String...) throws -> Int {
        try scene.markers.write(lines.map { $0 + "\n" }.joined())
        return try OrderedMarkers(in: SessionReader(scene.session.path), OrderedMarkers.Choice()).unreadable
    }

    @Test func `a line that can't be read is counted once, and one that is only wrong is not`() throws {
        #expect(try unreadable(EditingScene.other) == 0)
        #expect(try unreadable(EditingScene.other, "{torn") == 1)
        let wrong = EditingScene.other.replacing("highlight", with: "No Tag!")
        #expect(try unreadable(wrong) == 0)
    }

    @Test func `a space at the end of a title makes no other marker`() throws {
        var edit = RecordEdit()
        edit.values = [("label", JSONText("Solo "))]
        try scene.edit(10, edit)
        let plan = try importing("10\t10\tSolo\n").run(scene.writer())
        #expect(plan.items.map(\.result) == [.alreadyThere])
    }
}
