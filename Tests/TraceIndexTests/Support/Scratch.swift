import Glibc
import Journals
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore
import TraceText

@testable import TraceIndex

/// A directory of a test's own, removed with the value; `TRACE_KEEP_SCRATCH=1` keeps it.
final class Scratch: Sendable {
    let path: FilePath

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/trace-index-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard made else { throw Errno(rawValue: errno) }
        path = FilePath(platformString: template)
    }

    deinit {
        if getenv("TRACE_KEEP_SCRATCH") != nil {
            print("kept \(path)")
            return
        }
        try? path.removeTree()
    }

    /// The index of the test.
    var database: FilePath { path.appending("index.sqlite") }
    /// The root of the test's sessions.
    var root: FilePath { path.appending("sessions") }

    func index() throws -> JournalIndex { try JournalIndex(at: database, formats: Journals.all) }

    /// An index that has read everything anew.
    func freshIndex(of sessions: [FilePath], settleTime: Duration = .zero) throws -> JournalIndex {
        let index = try JournalIndex(
            at: path.appending("fresh-\(UInt64.random(in: 0 ... .max)).sqlite"), formats: Journals.all)
        for session in sessions { _ = try index.reconcile(journal: session, in: nil, settleTime: settleTime) }
        return index
    }

    /// A session below the root.
    func session(_ name: FilePath.Component = "live") throws -> SessionFolder {
        try root.makeDirectory()
        return try SessionFolder(root.appending(name))
    }
}

extension FilePath {
    func makeDirectory() throws {
        if withPlatformString({ mkdir($0, 0o755) }) != 0, errno != EEXIST { throw Errno(rawValue: errno) }
    }

    func write(_ bytes: some Sequence<UInt8>, _ options: FileDescriptor.OpenOptions = [.create, .truncate])
        throws
    {
        let file = try FileDescriptor.open(
            self, .writeOnly, options: options, permissions: FilePermissions(rawValue: 0o644))
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    /// The whole of a file, or nil when there is none.
    var contents: [UInt8]? {
        guard let file = try? FileDescriptor.open(self, .readOnly) else { return nil }
        return try? file.closeAfter {
            var bytes = [UInt8](repeating: 0, count: Int(try file.seek(offset: 0, from: .end)))
            let count = try bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
            return Array(bytes.prefix(count))
        }
    }

    func rename(to new: FilePath) throws {
        guard withPlatformString({ old in new.withPlatformString { Glibc.rename(old, $0) } }) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    func unlink() throws {
        if withPlatformString({ Glibc.unlink($0) }) != 0, errno != ENOENT { throw Errno(rawValue: errno) }
    }

    /// Sets the time of the last change as sync tools do.
    func setModified(secondsAgo: Int) throws {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        now.tv_sec -= secondsAgo
        let result = [now, now].withUnsafeBufferPointer { times in
            withPlatformString { utimensat(AT_FDCWD, $0, times.baseAddress, 0) }
        }
        if result != 0 { throw Errno(rawValue: errno) }
    }

    func removeTree() throws {
        for name in (try? names) ?? [] {
            let entry = appending(name)
            if entry.withPlatformString({ Glibc.unlink($0) }) != 0 { try entry.removeTree() }
        }
        _ = withPlatformString { rmdir($0) }
    }

    var names: [FilePath.Component] {
        get throws {
            var names: [FilePath.Component] = []
            try OpenDirectory(self).forEachName { names.append($0) }
            return names.sorted { $0.string < $1.string }
        }
    }
}

/// Waits until the kernel's clock for file times has moved on so far that no change made before can be taken for one of now.
func waitForClock() throws {
    func milliseconds(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
    let start = milliseconds(CLOCK_REALTIME)
    try soon("the clock moves on") { milliseconds(CLOCK_REALTIME_COARSE) - start > 20 }
}

/// The code of the ``IndexError`` that `body` throws.
func code(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any) -> IndexError
    .Code?
{
    do {
        _ = try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as IndexError {
        return error.code
    } catch {
        Issue.record("not an IndexError: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}
