import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFormat

@testable import TraceStore

/// What undo says of audio that was written and is another by now.
struct UndoMediaTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    @Test func `audio that was recorded again since is left where it is, by its time alone`() throws {
        let path = "media/\(number(41)).m4a"
        let note = VoiceNote(
            id: number(41), createdAt: morning, mediaPath: path, offset: .zero, duration: .zero)
        try scene.writer().addVoiceNote(note, audio: scratch("take.m4a"))
        let audio = scene.session("media").appending("\(number(41)).m4a")
        // As long as before.
        let time = timespec(tv_sec: 1_000_000_000, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, audio.string, [time, time], 0) == 0)
        let before = try scene.files()
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        #expect(try scene.files() == before)
    }

    @Test(arguments: ["", ".", "..", "/a", "../a", "media/../a", "media/\0"])
    func `a media path that leaves the session, or is none, has no components`(path: String) {
        #expect(MediaPath.components(of: path) == nil)
    }
}
