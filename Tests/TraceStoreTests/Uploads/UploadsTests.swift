import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles

@testable import TraceStore

struct UploadsTests {
    @Test func `an upload begins while empty directories are being removed`() throws {
        let state = try ScratchDirectory()
        let path = state.path
        let uploads = Uploads(state: path, owner: Self.id(0))
        let isOver = Flag()
        let isEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.value.load(ordering: .relaxed) {
                _ = try? Uploads.removeOutdated(state: path, now: Clock.now())
            }
            isEnded.signal()
        }
        var failures: [String] = []
        for number in 1...3000 {
            let id = Self.id(UInt64(number))
            do {
                _ = try uploads.begin(id, UploadDescription(sessionID: id, length: 1))
                try uploads.remove(id)
            } catch { failures.append("\(error)") }
        }
        isOver.value.store(true, ordering: .relaxed)
        isEnded.wait()
        #expect(failures == [])
        let owner = path.appending("uploads/\(Self.id(0))")
        #expect(FileManager.default.fileExists(atPath: owner.string))
        _ = try Uploads.removeOutdated(
            state: path, now: Timestamp(milliseconds: Clock.now().milliseconds + 7_200_000))
        #expect(!FileManager.default.fileExists(atPath: owner.string))
    }

    private static func id(_ number: UInt64) -> ULID {
        ULID(time: 1_770_278_400_000, randomHigh: 0, randomLow: number)
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
