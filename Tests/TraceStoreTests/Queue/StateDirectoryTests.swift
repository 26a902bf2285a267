import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

/// A state directory that is not there yet has nothing in it; one that can't be opened may have anything.
struct StateDirectoryTests {
    private let scratch: ScratchDirectory
    private let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    /// Each way of asking what is in it.
    private func ask(_ name: String) throws {
        let drain = Drain(scene.queue, locate: scene.locate)
        switch name {
        case "vanished of a session": _ = try drain.vanished(from: SampleSession.id, at: scene.session.path)
        case "vanished": _ = try drain.vanished()
        case "outdated": _ = try drain.removeOutdated(retention: .zero)
        case "inspection": _ = try QueueInspection(scene.queue, locate: scene.locate).items { _ in }
        case "audio":
            let audio = scene.root.appending("upload")
            try audio.write(QueueScene.sound)
            _ = try AwaitedAudio(scene.queue, LedgerMemory()).bring(
                audio, size: 1, sha256: "", fileExtension: "m4a", of: number(9), to: SampleSession.id)
        default: Issue.record("\(name)")
        }
    }

    @Test(arguments: ["vanished of a session", "vanished", "outdated", "inspection", "audio"])
    func `one that is not there is empty, one that can't be opened is an error`(_ name: String) throws {
        try ask(name)
        #expect(!scene.queue.state.exists)
        try FileManager.default.createSymbolicLink(
            atPath: scene.queue.state.string, withDestinationPath: scene.queue.state.string)
        let error = #expect(throws: FileError.self) { try ask(name) }
        #expect(error?.path == scene.queue.state)
    }
}
