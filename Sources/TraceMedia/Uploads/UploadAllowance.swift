internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Counts the audio that comes, over all requests of this process: what limits it is what comes, not what was announced.
package final class UploadMeter: Sendable {
    private let counts = Mutex<[FilePath: Count]>([:])

    package init() {}

    /// How many bytes a sender has sent since the process began.
    fileprivate struct Count {
        var come: Int64 = 0
        /// Of those, the ones that are not on their way to the disk any more.
        var settled: Int64 = 0
    }

    fileprivate func count(in directory: FilePath) -> Count {
        counts.withLock { $0[directory, default: Count()] }
    }

    /// Counts what is about to be stored.
    fileprivate func begin(_ count: Int64, in directory: FilePath) {
        counts.withLock { $0[directory, default: Count()].come += count }
    }

    /// Counts what has been stored; what was not is counted too much until the disk is looked at.
    fileprivate func settle(_ count: Int64, in directory: FilePath) {
        counts.withLock { $0[directory, default: Count()].settled += count }
    }
}

/// How much may come for one sender, however many of its requests bring it at the same time.
final class UploadAllowance: Sendable {
    private let directory: OpenDirectory
    private let meter: UploadMeter
    private let limits: Uploads.Limits
    private let known: Mutex<Known>

    private struct Known {
        /// How many bytes the sender had on the disk.
        var size: Int64
        /// How many bytes the meter showed then that have certainly been found there.
        var settled: Int64
    }

    /// - Throws: ``FileError``.
    init(in directory: OpenDirectory, _ meter: UploadMeter, _ limits: Uploads.Limits) throws {
        self.directory = directory
        self.meter = meter
        self.limits = limits
        known = Mutex(try Self.look(in: directory, meter))
    }

    private static func look(in directory: OpenDirectory, _ meter: UploadMeter) throws -> Known {
        // What is on its way now, or comes meanwhile, may be counted twice: were it left out, nobody would have counted it.
        let settled = meter.count(in: directory.path).settled
        return Known(size: try size(of: directory), settled: settled)
    }

    /// How many bytes a sender has on the disk.
    ///
    /// - Parameter isCounted: Whether a file counts, by its name.
    static func size(
        of directory: OpenDirectory, where isCounted: (FilePath.Component) -> Bool = { _ in true }
    ) throws -> Int64 {
        var size: Int64 = 0
        try directory.forEachName { name in
            guard isCounted(name) else { return }
            size += (try? directory.status(of: name, followingLinks: false))?.identity.size ?? 0
        }
        return size
    }

    /// Stores so many bytes, if they may come.
    ///
    /// - Throws: ``MediaError`` with `.uploadsFull`, ``FileError`` with `.diskFull`; nothing is stored then. What `store` throws.
    /// - Complexity: O(1) beside storing; where the limit seems to be reached, O(files of the sender), for some may be gone.
    func take(_ count: Int, _ store: () throws -> Void) throws {
        let count = Int64(count)
        meter.begin(count, in: directory.path)
        defer { meter.settle(count, in: directory.path) }
        try known.withLock { known in
            guard isOver(known) else { return }
            known = try Self.look(in: directory, meter)
            guard isOver(known) else { return }
            throw limits.full(directory.path)
        }
        try limits.requireSpace(for: count, in: directory.path)
        try store()
    }

    private func isOver(_ known: Known) -> Bool {
        known.size + meter.count(in: directory.path).come - known.settled > limits.perOwner
    }
}

extension Uploads {
    /// How much uploads may take.
    package struct Limits: Sendable {
        /// The unfinished uploads of one token, in bytes.
        var perOwner: Int64 = 512 << 20
        /// What uploads leave free on the file system for everything else, in bytes.
        var reserve = SpoolAllowance.reserve

        init() {}

        func full(_ path: FilePath) -> MediaError {
            MediaError(
                .uploadsFull, "this token has \(perOwner >> 20) MiB of unfinished uploads", path: path,
                cure: "finish or delete some of them")
        }

        /// - Throws: ``FileError`` with `.diskFull` if so many bytes more would leave less than ``reserve``.
        func requireSpace(for count: Int64, in path: FilePath) throws(FileError) {
            guard let free = PlaceCheck(of: path)?.freeBytes, free - count < reserve else { return }
            throw FileError(
                .diskFull, "there is too little space left for uploads", path: path,
                cure: "free some space on this file system, then try again")
        }
    }
}
