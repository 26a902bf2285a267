import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceText
import TraceStore

@testable import TraceMedia

struct UploadsTests {
    @Test func `an upload begins while its directory, which was empty for long, is being removed`() throws {
        let state = try ScratchDirectory()
        let path = state.path
        let uploads = Uploads(state: path, owner: Self.id(0), limits: Self.limits(1 << 30))
        let count = Torture.size(full: 3000, sample: 500)
        /// As if it were two hours later.
        @Sendable func removeEmpty() throws {
            let later = Timestamp(milliseconds: Clock.now().milliseconds + 7_200_000)
            _ = try Uploads.removeOutdated(state: path, now: later)
        }
        // Once for each upload: one that was just made again is left alone for an hour.
        let (begins, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            for _ in 0..<count {
                begins.wait()
                try? removeEmpty()
                isDone.signal()
            }
        }
        var failures: [String] = []
        for number in 1...count {
            let id = Self.id(UInt64(number))
            begins.signal()
            do {
                _ = try uploads.begin(id, UploadDescription(sessionID: id, length: 1))
                try uploads.remove(id)
            } catch { failures.append("\(error)") }
            isDone.wait()
        }
        #expect(failures == [])

        let owner = path.appending("uploads/\(Self.id(0))")
        try OpenDirectory.make(owner)
        _ = try Uploads.removeOutdated(state: path, now: Clock.now())
        #expect(owner.exists)
        try removeEmpty()
        #expect(!owner.exists)
    }

    private static func limits(_ perOwner: Int64, reserve: Int64 = 0) -> Uploads.Limits {
        var limits = Uploads.Limits()
        limits.perOwner = perOwner
        limits.reserve = reserve
        return limits
    }

    /// What a request throws that brings so many bytes.
    private func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return error.anyReport.code }
        return nil
    }

    @Test(arguments: [nil, 60_000 as Int64])
    func `what comes counts over all uploads of a sender, whatever was announced`(announced: Int64?) throws {
        let state = try ScratchDirectory()
        let meter = UploadMeter()
        // As each request makes its own.
        func uploads(_ owner: UInt64 = 0) -> Uploads {
            Uploads(state: state.path, owner: Self.id(owner), meter: meter, limits: Self.limits(95_000))
        }
        let parts = try (1...4).map { number in
            try uploads().begin(
                Self.id(number), UploadDescription(sessionID: Self.id(0), length: announced))
        }
        let piece = [UInt8](repeating: 7, count: 10_000)
        for _ in 0..<3 { for part in parts.prefix(3) { try part.append(piece) } }
        #expect(code { try parts[3].append(piece) } == "uploads-full")
        #expect(parts[3].size == 0)
        #expect(code { try parts[0].append(piece) } == "uploads-full")
        try uploads(99).begin(Self.id(9), UploadDescription(sessionID: Self.id(0))).append(piece)

        // What is given up makes room.
        try uploads().remove(Self.id(1))
        for _ in 0..<3 { try parts[3].append(piece) }
        #expect(code { try parts[3].append(piece) } == "uploads-full")
        #expect(parts[3].size == 30_000)
    }

    @Test func `what came before the process began counts too`() throws {
        let state = try ScratchDirectory()
        func uploads() -> Uploads {
            Uploads(state: state.path, owner: nil, limits: Self.limits(100_000))
        }
        let piece = [UInt8](repeating: 7, count: 60_000)
        try uploads().begin(Self.id(1), UploadDescription(sessionID: Self.id(0))).append(piece)
        let next = try uploads().begin(Self.id(2), UploadDescription(sessionID: Self.id(0)))
        #expect(code { try next.append(piece) } == "uploads-full")
        let resumed = try #require(try uploads().resume(Self.id(1), count: 0))
        #expect(code { try resumed.append(piece) } == "uploads-full")
    }

    @Test func `what is on its way to the disk counts while the disk is looked at`() throws {
        let state = try ScratchDirectory()
        let meter = UploadMeter()
        func uploads() -> Uploads {
            Uploads(state: state.path, owner: nil, meter: meter, limits: Self.limits(100_000))
        }
        let piece = [UInt8](repeating: 7, count: 60_000)
        let other = try uploads().begin(Self.id(2), UploadDescription(sessionID: Self.id(0)))
        let found = Mutex<[MediaErrorCode?]>([])
        let first = try uploads().begin(
            Self.id(1), UploadDescription(sessionID: Self.id(0)),
            failPoint: { step, path throws(Errno) in
                guard step == .write, path.lastComponent?.string == "\(Self.id(1)).part" else { return }
                // Counted, and not written yet.
                var code: MediaErrorCode?
                do { try other.append(piece) } catch { code = (error as? MediaError)?.code }
                found.withLock { $0.append(code) }
            })
        try first.append(piece)
        #expect(found.withLock { $0 } == [.uploadsFull])
        #expect(first.size == 60_000 && other.size == 0)
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `uploads leave the disk its reserve as they come, however many there are`() throws {
        let disk = try SmallFileSystem(kilobytes: 1024)
        let uploads = Uploads(
            state: disk.directory.path, owner: nil, limits: Self.limits(1 << 30, reserve: 512 << 10))
        let parts = try (1...3).map {
            try uploads.begin(Self.id($0), UploadDescription(sessionID: Self.id(0)))
        }
        let piece = [UInt8](repeating: 7, count: 32 << 10)
        func fill() throws { while true { for part in parts { try part.append(piece) } } }
        #expect(code(fill) == "disk-full")
        let free = try #require(PlaceCheck(of: disk.directory.path)?.freeBytes)
        #expect(free >= 512 << 10 && free < 600 << 10, "\(free)")
    }

    private static func id(_ number: UInt64) -> ULID {
        ULID(time: 1_770_278_400_000, randomHigh: 0, randomLow: number)
    }
}
