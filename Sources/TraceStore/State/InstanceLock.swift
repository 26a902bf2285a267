internal import Glibc
internal import RecordFormat
internal import Synchronization
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// The right to be the one daemon of a state directory; the file's text tells others who holds it.
///
/// The kernel gives the lock back with the process, however it ends, so a stale file means nothing (flock(2)).
package final class InstanceLock: Sendable {
    private let descriptor: FileDescriptor
    private let runtimeDirectory: FilePath?
    private let status = Mutex(DaemonStatus())

    private static let name: FilePath.Component = "traced.lock"

    /// Takes the lock, making the state directory where it is missing.
    ///
    /// - Parameter runtimeDirectory: Where the status is published, from the first ``announce(_:)`` on, for users without
    ///   access to the state directory.
    /// - Throws: ``StoreError`` with `.alreadyRunning`, or what keeps the state directory from being used.
    package init(state: FilePath, runtimeDirectory: FilePath? = nil) throws {
        try OpenDirectory.make(state)
        self.runtimeDirectory = runtimeDirectory
        let path = Self.path(in: state)
        do {
            descriptor = try FileDescriptor.open(
                path, .readWrite, options: [.create, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch let error as Errno {
            throw FileError("open", path, error)
        }
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? descriptor.close()
            let holder = RunningDaemon.status(state: state).map { " (process \($0.process))" } ?? ""
            throw StoreError(
                .alreadyRunning, "another traced\(holder) is running on this state directory", path: state,
                cure: "stop that one, or give this one its own state directory")
        }
        status.withLock { writeText(of: $0) }
    }

    deinit { try? descriptor.close() }

    /// Withdraws the published status; the last act of a daemon.
    package func withdraw() {
        if let runtimeDirectory { DaemonStatus.withdraw(from: runtimeDirectory) }
    }

    fileprivate static func path(in state: FilePath) -> FilePath { state.appending(name) }

    /// Tells others how the daemon is. On a full disk the lock alone must do.
    package func announce(_ change: (inout DaemonStatus) -> Void) {
        status.withLock { status in
            change(&status)
            writeText(of: status)
            if let runtimeDirectory { try? status.publish(in: runtimeDirectory) }
        }
    }

    private func writeText(of status: DaemonStatus) {
        var limit = Self.textSize / 4
        var text = status.json(rootLimit: limit)
        while text.bytes.count >= Self.textSize, limit > 0 {
            limit /= 2
            text = status.json(rootLimit: limit)
        }
        // Padded, so that one write replaces the text whole and a reader never meets half of it.
        let padding = max(0, Self.textSize - 1 - text.bytes.count)
        _ = try? descriptor.writeAll(
            toAbsoluteOffset: 0, text.bytes + Array(repeating: 0x20, count: padding) + [0x0A])
    }

    fileprivate static let textSize = 4096
}

/// Finds the daemon of a state directory.
package enum RunningDaemon {
    /// How the daemon that holds a state directory's lock is, or nil when none runs.
    ///
    /// - Parameter runtimeDirectory: Where it is looked for by those who may not look into the state directory.
    package static func status(state: FilePath, runtimeDirectory: FilePath? = nil) -> DaemonStatus? {
        let descriptor: FileDescriptor
        do {
            descriptor = try open(state)
        } catch let error as Errno where [.permissionDenied, .notPermitted].contains(error) {
            return runtimeDirectory.flatMap { DaemonStatus(publishedIn: $0) }
        } catch {
            return nil
        }
        defer { try? descriptor.close() }
        if flock(descriptor.rawValue, LOCK_SH | LOCK_NB) == 0 { return nil }
        // On a full disk it could take the lock, but not write its text.
        return text(of: descriptor) ?? runtimeDirectory.flatMap { DaemonStatus(publishedIn: $0) }
    }

    /// Like ``status(state:runtimeDirectory:)``, but fast enough for each mark: it reads only the lock's text. It does not try
    /// the lock, which would keep a daemon from starting that tries it at that very moment.
    package static func quickStatus(state: FilePath) -> DaemonStatus? {
        guard let descriptor = try? open(state) else { return nil }
        defer { try? descriptor.close() }
        return text(of: descriptor).flatMap { $0.isLiving ? $0 : nil }
    }

    /// - Throws: `Errno`: mostly there is no daemon, which costs the least so.
    private static func open(_ state: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(InstanceLock.path(in: state), .readOnly, options: .closeOnExec)
    }

    private static func text(of descriptor: FileDescriptor) -> DaemonStatus? {
        var buffer = [UInt8](repeating: 0x20, count: InstanceLock.textSize)
        let count = buffer.withUnsafeMutableBytes {
            (try? descriptor.read(fromAbsoluteOffset: 0, into: $0)) ?? 0
        }
        return try? DaemonStatus(parsing: buffer.prefix(count))
    }
}
