internal import Glibc
internal import TraceFiles
internal import TraceText

/// How much of what the system limits a program needs to do anything at all.
///
/// The Swift runtime and its libraries take threads, files and memory for granted: without them they end the process by a signal
/// or wait for ever. So it is looked beforehand, and a limit below what is needed is an error like any other.
///
/// Source: getrlimit(2).
package struct ProgramLimits: Sendable {
    /// What the program is called.
    let name: String
    /// Files that are open at the same time.
    let openFiles: UInt64
    /// Bytes of address space, of which libraries and the stacks of threads take most without ever using them.
    let addressSpace: UInt64
    /// Threads beside the first; 0 for a program that asks ``ThreadCapacity`` once it is known whether it needs any.
    let threads: Int

    /// What `trace` needs: 20 files for the index, the queue and what is written, and some to spare.
    package static let command = ProgramLimits(
        name: "trace", openFiles: 32, addressSpace: 192 << 20, threads: 0)

    /// What `traced` needs besides: the watcher, and the threads of libdispatch and of the Swift runtime.
    package static let daemon = ProgramLimits(
        name: "traced", openFiles: 64, addressSpace: 512 << 20, threads: ThreadCapacity.width + 8)

    /// The main thread's stack, in bytes; that of the others is as large.
    private static let stack: UInt64 = 1 << 20

    /// What is wrong with the limits of this process, and the cure; nil if they suffice. A soft limit that is too low is raised
    /// as far as is needed, where the hard one allows that.
    func problem() -> (message: String, cure: String)? {
        let limits: [(kind: __rlimit_resource, needed: UInt64, what: String, cure: String)] = [
            (RLIMIT_NOFILE, openFiles, "files that may be open", "ulimit -n \(openFiles), LimitNOFILE="),
            (
                RLIMIT_AS, addressSpace, "bytes of address space",
                "ulimit -v \(addressSpace >> 10), LimitAS="
            ),
            (
                RLIMIT_DATA, addressSpace / 2, "bytes of data",
                "ulimit -d \(addressSpace >> 11), LimitDATA="
            ),
            (RLIMIT_STACK, Self.stack, "bytes of stack", "ulimit -s \(Self.stack >> 10), LimitSTACK="),
        ]
        for (kind, needed, what, cure) in limits {
            guard let allowed = Self.raised(kind, to: needed), allowed < needed else { continue }
            return (
                "\(allowed) \(what) is too low: \(name) needs \(needed)",
                "raise the limit (\(cure) in a unit)"
            )
        }
        guard threads > 0, !ThreadCapacity.allows(threads) else { return nil }
        return (ThreadCapacity.message(for: threads), ThreadCapacity.hint)
    }

    /// Raises the soft limit to what is needed, or as far as the hard one allows.
    ///
    /// - Returns: The soft limit as it is then; nil if the system does not tell.
    private static func raised(_ kind: __rlimit_resource, to needed: UInt64) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 else { return nil }
        guard limit.rlim_cur < needed, limit.rlim_cur < limit.rlim_max else { return UInt64(limit.rlim_cur) }
        let old = limit.rlim_cur
        limit.rlim_cur = min(rlim_t(needed), limit.rlim_max)
        return UInt64(setrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0 ? limit.rlim_cur : old)
    }
}

/// Whether the system lets this process have more threads.
///
/// Limits can't tell: `RLIMIT_NPROC` counts all threads of the user and does not hold for everybody, and a control group has one of its own
/// (`TasksMax=`). libdispatch, when it gets no thread, asks again each second for ever. So threads are started for a try.
///
/// Source: setrlimit(2), RLIMIT_NPROC; pthread_create(3).
package enum ThreadCapacity {
    /// How many threads libdispatch and the Swift runtime start for work that keeps all cores busy.
    package static let width = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    /// Whether so many threads can run beside those that do already.
    ///
    /// - Complexity: Some 20 µs a thread.
    package static func allows(_ count: Int) -> Bool {
        var started: [pthread_t] = []
        var gate = pthread_mutex_t()
        // Sound: every thread has ended before the gate goes, and nothing else refers to it.
        return withUnsafeMutablePointer(to: &gate) { gate in
            pthread_mutex_init(gate, nil)
            pthread_mutex_lock(gate)
            defer {
                pthread_mutex_unlock(gate)
                for thread in started { pthread_join(thread, nil) }
                pthread_mutex_destroy(gate)
            }
            while started.count < count {
                var thread = pthread_t()
                let result = pthread_create(
                    &thread, nil,
                    { gate in
                        let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self)
                        // All are there at the same time: each waits until the last has been started.
                        if let gate, pthread_mutex_lock(gate) == 0 { pthread_mutex_unlock(gate) }
                        return nil
                    }, gate)
                guard result == 0 else { return false }
                started.append(thread)
            }
            return true
        }
    }

    /// - Throws: ``StoreError`` with `.tooFewThreads`.
    package static func require(_ count: Int) throws {
        guard !allows(count) else { return }
        throw StoreError(.tooFewThreads, message(for: count), cure: Cure(hint))
    }

    static func message(for count: Int) -> String {
        "\(count) more threads are needed, and the system refuses them"
    }
    static let hint =
        "raise the limit of processes and threads (ulimit -u, LimitNPROC= or TasksMax= in a unit)"
}
