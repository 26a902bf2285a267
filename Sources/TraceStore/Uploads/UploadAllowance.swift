internal import Synchronization
internal import SystemPackage
internal import TraceFiles

/// Counts the audio that comes, over all requests of this process: what limits it is what comes, not what was announced.
package final class UploadMeter: Sendable {
    private let come = Mutex<[FilePath: Int64]>([:])

    package init() {}

    /// How many bytes have come for a sender since the process began.
    ///
    /// - Parameter count: So many are about to; fewer than none if they don't.
    fileprivate func total(in directory: FilePath, adding count: Int64 = 0) -> Int64 {
        come.withLock { come in
            come[directory, default: 0] += count
            return come[directory, default: 0]
        }
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
        /// What the meter showed then.
        var total: Int64
    }

    /// - Throws: ``FileError``.
    init(in directory: OpenDirectory, _ meter: UploadMeter, _ limits: Uploads.Limits) throws {
        self.directory = directory
        self.meter = meter
        self.limits = limits
        known = Mutex(try Self.look(in: directory, meter))
    }

    private static func look(in directory: OpenDirectory, _ meter: UploadMeter) throws -> Known {
        // What comes meanwhile is counted twice rather than not at all.
        let total = meter.total(in: directory.path)
        return Known(size: try size(of: directory), total: total)
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

    /// Takes so many bytes off, before they are written.
    ///
    /// - Throws: ``FileError`` with `.uploadsFull` or `.diskFull`; nothing is taken off then.
    /// - Complexity: O(1); where the limit seems to be reached, O(files of the sender), for some may be gone.
    func take(_ count: Int) throws {
        let count = Int64(count)
        let total = meter.total(in: directory.path, adding: count)
        do {
            try known.withLock { known in
                guard known.size + total - known.total > limits.perOwner else { return }
                known = try Self.look(in: directory, meter)
                // These bytes are on the meter already, and not on the disk yet.
                known.total -= count
                guard known.size + count > limits.perOwner else { return }
                throw limits.full(directory.path)
            }
            try limits.requireSpace(for: count, in: directory.path)
        } catch {
            _ = meter.total(in: directory.path, adding: -count)
            throw error
        }
    }
}

extension Uploads {
    /// How much uploads may take.
    package struct Limits: Sendable {
        /// The unfinished uploads of one token, in bytes.
        package var perOwner: Int64 = 512 << 20
        /// What uploads leave free on the file system for everything else, in bytes.
        package var reserve = Uploads.reserve

        package init() {}

        func full(_ path: FilePath) -> FileError {
            FileError(
                .uploadsFull, "this token has \(perOwner >> 20) MiB of unfinished uploads", path: path,
                hint: "finish or delete some of them")
        }

        /// - Throws: ``FileError`` with `.diskFull` if so many bytes more would leave less than ``reserve``.
        func requireSpace(for count: Int64, in path: FilePath) throws(FileError) {
            guard let free = PlaceCheck(of: path)?.freeBytes, free - count < reserve else { return }
            throw FileError(
                .diskFull, "there is too little space left for uploads", path: path,
                hint: "free some space on this file system, then try again")
        }
    }
}
