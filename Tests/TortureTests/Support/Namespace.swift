import Foundation
import ProgramHarness
import TestSupport

/// Namespaces of Linux, in which a test may lower limits and mount file systems that nobody else sees.
enum Namespace {
    /// Whether a user's limits can be lowered for one process.
    static let hasLimits = succeeds(["-Ur", "/bin/sh", "-c", "cat /proc/sys/user/max_inotify_watches"])

    /// How a file system can be mounted for one process, or nil where that is not permitted.
    static let mounting: [String]? = [["-m"], ["-Urm"]].first {
        succeeds($0 + ["/bin/sh", "-c", "mount -t tmpfs -o size=64k none /mnt"])
    }

    private static func succeeds(_ arguments: [String]) -> Bool {
        (try? Scratch().run("/usr/bin/unshare", arguments).status) == 0
    }

    /// What starts a program whose user has few of something, until a file `raise` lies in the scratch directory.
    ///
    /// - Parameter limit: A name in `/proc/sys/user`.
    static func limiting(_ limit: String, to value: Int, in scratch: Scratch) -> [String] {
        [
            "/usr/bin/unshare", "-Ur", "/bin/sh", "-c",
            """
            echo \(value) > /proc/sys/user/\(limit)
            {
              i=0
              while [ $i -lt 2400 ] && [ -d '\(scratch.path)' ] && [ ! -e '\(scratch.path)/raise' ]; do
                i=$((i + 1)); sleep 0.05
              done
              echo 100000 > /proc/sys/user/\(limit)
            } &
            exec "$0" "$@"
            """,
        ]
    }
}

/// The state directory of a scratch directory, or another directory in it, on a small file system of its own.
final class TinyDisk {
    /// What starts a program that sees it.
    let entering: [String]
    /// Where programs that don't see it find it all the same.
    let path: String
    private let scratch: Scratch
    private let directory: String
    private let holder: ChildProcess

    /// - Parameters:
    ///   - name: The directory; what is in it is hidden.
    ///   - size: As `mount -o size=` takes it.
    init(_ scratch: Scratch, _ name: String = "state", size: String) throws {
        self.scratch = scratch
        try scratch.makeDirectory(name)
        directory = "\(scratch.path)/\(name)"
        let options = Namespace.mounting ?? []
        holder = try scratch.start(
            """
            exec unshare \(options.joined(separator: " ")) /bin/sh -c \\
              'mount -t tmpfs -o size=\(size) none "$0" && : > mounted && exec sleep 1d' '\(directory)'
            """, log: "holder.log")
        let names = options.contains("-Urm") ? ["--user", "--mount", "--preserve-credentials"] : ["--mount"]
        path = "/proc/\(holder.id)/root\(directory)"
        entering = ["/usr/bin/nsenter", "--target", "\(holder.id)"] + names + ["--"]
        try soon("the small disk is mounted: \(try scratch.text("holder.log"))") { scratch.exists("mounted") }
    }

    deinit {
        kill(holder.id, SIGKILL)
        _ = try? holder.wait()
    }

    /// Runs a script of `sh` in the directory.
    func run(_ script: String) throws -> Outcome {
        try scratch.run(
            entering[0],
            Array(entering.dropFirst()) + ["/bin/sh", "-c", "cd '\(directory)' && \(script)"])
    }

    /// Whether ``toggleFull()`` has filled it.
    private(set) var isFull = false

    /// Fills it to the last byte, or takes away what filled it.
    func toggleFull() throws {
        _ = try run(isFull ? "rm -f filler" : "dd if=/dev/zero of=filler bs=64k 2>/dev/null || true")
        isFull.toggle()
    }

    /// Runs `trace` as a program that sees the disk.
    func trace(_ arguments: [String], _ environment: [String: String] = [:]) throws -> Outcome {
        try scratch.run(
            entering[0], Array(entering.dropFirst()) + [Binaries.url("trace").path] + arguments, environment)
    }

    func grow() throws -> Outcome { try run("mount -o remount,size=256m '\(directory)'") }
}
