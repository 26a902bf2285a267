internal import Glibc
package import SystemPackage
package import TraceFormat

/// The right to be the one daemon of a state directory; the file's text tells others who holds it.
///
/// The kernel gives the lock back with the process, however it ends, so a stale file means nothing (flock(2)).
package final class InstanceLock: Sendable {
    private let descriptor: FileDescriptor
    private let since = Clock.now()

    private static let name: FilePath.Component = "traced.lock"

    /// Takes the lock, making the state directory where it is missing.
    ///
    /// - Throws: ``StoreError`` with `.alreadyRunning`, or what keeps the state directory from being used.
    package init(state: FilePath) throws {
        try OpenDirectory.make(state)
        descriptor = try Self.open(state, .readWrite, [.create, .closeOnExec])
        guard flock(descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
            try? descriptor.close()
            let holder = RunningDaemon(state: state).map { " (process \($0.process))" } ?? ""
            throw StoreError(
                .alreadyRunning, "another traced\(holder) runs on this state directory", path: state,
                hint: "stop that one, or give this one a state directory of its own")
        }
        // On a full disk the lock alone must do.
        try? announce(isReady: false)
    }

    deinit { try? descriptor.close() }

    fileprivate static func open(
        _ state: FilePath, _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions
    ) throws -> FileDescriptor {
        let path = state.appending(name)
        do {
            return try FileDescriptor.open(
                path, mode, options: options, permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch let error as Errno {
            throw StoreError("open", path, error)
        }
    }

    /// Tells others who this is, whether it has come up, and what it has to poll.
    ///
    /// - Parameters:
    ///   - polledCount: How many directories can't be watched.
    ///   - problem: Why, and what to do about it.
    ///   - partial: The roots that are not watched, or not all over, and how it is with them.
    package func announce(
        isReady: Bool, polledCount: Int = 0, problem: String? = nil,
        partial: [(root: FilePath, watching: String)] = []
    ) throws {
        let text = JSONText.object { object in
            object.member("pid", JSONText(Int64(getpid())))
            object.member("ready", JSONText(isReady))
            object.member("since", JSONText(since))
            object.member("polled", JSONText(Int64(polledCount)))
            object.member("problem", problem.map { JSONText(String($0.prefix(500))) })
            object.member(
                "partial",
                .object { object in
                    // So many that the text stays within its size.
                    var size = 0
                    for (root, watching) in partial {
                        size += root.escaped.utf8.count + 50
                        if size < Self.textSize / 2 { object.member(root.escaped, JSONText(watching)) }
                    }
                })
        }
        // Padded, so that one write replaces the text whole and a reader never meets half of it.
        let padding = max(0, Self.textSize - 1 - text.bytes.count)
        _ = try descriptor.writeAll(
            toAbsoluteOffset: 0, text.bytes + Array(repeating: 0x20, count: padding) + [0x0A])
    }

    fileprivate static let textSize = 4096
}

/// The daemon that holds a state directory's lock.
package struct RunningDaemon: Sendable, Hashable {
    /// Its process id.
    package let process: Int64
    /// Whether its watch is armed and its first reconcile is done.
    package let isReady: Bool
    /// How many directories it can't watch and looks at now and then instead.
    package let polledCount: Int64
    /// Why, and what to do about it.
    package let problem: String?
    /// Since when it has been running; nil where it does not tell.
    package let since: Timestamp?
    /// The roots that it does not watch, or not all over, as they are shown, and how it is with them.
    package let partial: [String: String]

    /// The daemon of a state directory, or nil when none runs or the directory can't be looked into.
    package init?(state: FilePath) {
        guard let descriptor = try? InstanceLock.open(state, .readOnly, .closeOnExec) else { return nil }
        defer { try? descriptor.close() }
        if flock(descriptor.rawValue, LOCK_SH | LOCK_NB) == 0 { return nil }
        var buffer = [UInt8](repeating: 0x20, count: InstanceLock.textSize)
        let count = buffer.withUnsafeMutableBytes {
            (try? descriptor.read(fromAbsoluteOffset: 0, into: $0)) ?? 0
        }
        let read = try? JSONParser().withParsed(buffer.prefix(count)) { root in
            var partial: [String: String] = [:]
            for (name, value) in root[name: "partial"]?.members.map({ $0 }) ?? [] {
                partial[String(decoding: name, as: UTF8.self)] = value.string
            }
            return (
                root[name: "pid"]?.integer, root[name: "ready"]?.boolean, root[name: "polled"]?.integer,
                root[name: "problem"]?.string, root[name: "since"]?.timestamp, partial
            )
        }
        guard let (process, isReady, polledCount, problem, since, partial) = read else { return nil }
        self.since = since
        self.partial = partial
        self.process = process ?? 0
        self.isReady = isReady ?? false
        self.polledCount = polledCount ?? 0
        self.problem = problem
    }
}

extension StoreError.Code {
    /// Another daemon runs on the same state directory.
    public static let alreadyRunning = StoreError.Code(rawValue: "already-running")
}
