internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceText

/// The published status of a daemon.
package struct DaemonStatus: Sendable, Hashable {
    /// Its process id.
    package var process: Int64
    /// Since when it has been running; nil if it does not tell.
    package var since: Timestamp?
    /// Whether its watch is armed and its first reconcile is done.
    package var isReady = false
    /// How many directories it can't watch and looks at now and then instead.
    package var polledCount: Int64 = 0
    /// Why, and what to do about it.
    package var problem: ErrorReport?
    /// The roots that it does not watch, or not all over, as they are shown, and how it is with them.
    package var partial: [String: String] = [:]
    /// The roots that it watches, as they are shown; nil while it does not tell, and for users who may not look into the state
    /// directory.
    package private(set) var roots: [String]?
    /// Whether it watches more roots than there is room for in ``roots``.
    private var hasMoreRoots = false
    /// What its last self-check found wrong.
    package var unhealthyReason: String?
    /// Where its HTTP API listens, as the configuration writes it.
    package var listening: [String] = []
    /// Why it does not listen elsewhere, although it should, or what it can't serve.
    package var listenProblems: [String] = []
    /// Whether it can confine ffmpeg; nil if it does not tell.
    package var landlock: Landlock.State?
    /// When its process began, in ticks since the machine did: no other process of this id has the same.
    fileprivate var startTicks: Int64?

    /// The status of this process, which has just begun.
    init() {
        process = Int64(getpid())
        since = Clock.now()
        startTicks = Self.startTicks(of: process)
        landlock = Landlock.state
    }

    // MARK: - Roots

    /// Notes which roots the daemon watches from now on.
    package mutating func watch(_ roots: [FilePath]) { self.roots = roots.map(\.escaped) }

    /// Which of the daemon's roots a path is in, as that root is shown, whatever links lead there; nil for none of those that
    /// it tells.
    package func root(watching path: FilePath) -> String? {
        guard let roots else { return nil }
        // A slash stays one where a path is shown, so that what is shown can be compared name by name.
        let shown = FilePath(path.escaped)
        if let root = roots.first(where: { shown.lies(in: FilePath($0)) }) { return root }
        let place = PathCheck.resolved(path).map { FilePath($0.escaped) } ?? shown
        return roots.first { root in
            let path = FilePath(root)
            if place.lies(in: path) { return true }
            // What has nothing to escape is the path itself.
            guard path.escaped == root, let target = PathCheck.resolved(path) else { return false }
            return place.lies(in: FilePath(target.escaped))
        }
    }

    /// Whether the daemon is known not to watch what is at a path.
    package func ignores(_ path: FilePath) -> Bool {
        roots != nil && !hasMoreRoots && root(watching: path) == nil
    }

    // MARK: - As text

    /// - Throws: ``FormatError`` if the bytes are no JSON.
    init(parsing bytes: some Collection<UInt8>) throws {
        self = try JSONParser().withParsed(Array(bytes)) { root in
            var status = DaemonStatus(process: root[name: "pid"]?.integer ?? 0)
            status.isReady = root[name: "ready"]?.boolean ?? false
            status.polledCount = root[name: "polled"]?.integer ?? 0
            status.problem = root[name: "problem"]?.string.map {
                ErrorReport(message: $0, cure: root[name: "hint"]?.string.map { Cure($0) })
            }
            status.since = root[name: "since"]?.timestamp
            status.unhealthyReason = root[name: "ailment"]?.string
            status.startTicks = root[name: "start_ticks"]?.integer
            status.landlock = root[name: "landlock"]?.string.flatMap { Landlock.State(rawValue: $0) }
            status.listening = root[name: "listening"]?.elements.compactMap(\.string) ?? []
            status.listenProblems = root[name: "listen_problems"]?.elements.compactMap(\.string) ?? []
            status.roots = root[name: "roots"]?.elements.compactMap(\.string)
            status.hasMoreRoots = root[name: "more_roots"]?.boolean ?? false
            for (name, value) in root[name: "partial"]?.members.map({ $0 }) ?? [] {
                status.partial[String(decoding: name, as: UTF8.self)] = value.string
            }
            return status
        }
    }

    private init(process: Int64) { self.process = process }

    /// The status as JSON.
    ///
    /// - Parameter limit: How many bytes of roots there may be, in each of the two lists; zero leaves out what only those may
    ///   know who may look into the state directory.
    func json(rootLimit limit: Int) -> JSONText {
        .object { object in
            object.member("pid", JSONText(process))
            object.member("ready", JSONText(isReady))
            object.member("since", since.map { JSONText($0) })
            object.member("start_ticks", startTicks.map { JSONText($0) })
            object.member("polled", JSONText(polledCount))
            object.member("landlock", landlock.map { JSONText($0.rawValue) })
            object.member("ailment", unhealthyReason.map { JSONText(String($0.prefix(300))) })
            guard limit > 0 else { return }
            object.member("problem", problem.map { JSONText(String($0.headline.prefix(250))) })
            object.member("hint", (problem?.hint).map { JSONText(String($0.prefix(250))) })
            // A problem has its cure at its end.
            for (name, texts, length) in [
                ("listening", listening, 150), ("listen_problems", listenProblems, 350),
            ]
            where !texts.isEmpty {
                object.member(name, .array(texts.prefix(4).map { JSONText(String($0.prefix(length))) }))
            }
            if let roots {
                let told = Self.fitting(roots, in: limit) { $0.utf8.count + 3 }
                object.member("roots", .array(told.map { JSONText($0) }))
                if told.count < roots.count { object.member("more_roots", JSONText(true)) }
            }
            object.member(
                "partial",
                .object { object in
                    let sorted = partial.sorted { $0.key < $1.key }
                    for (root, watching) in Self.fitting(sorted, in: limit, size: { $0.key.utf8.count + 50 })
                    {
                        object.member(root, JSONText(watching))
                    }
                })
        }
    }

    /// The first elements, as many as have room in `limit` bytes.
    private static func fitting<Element>(
        _ elements: [Element], in limit: Int, size: (Element) -> Int
    ) -> ArraySlice<Element> {
        var total = 0
        return elements.prefix {
            total += size($0)
            return total < limit
        }
    }

    // MARK: - Across users

    private static let name: FilePath.Component = "traced.status"

    /// Lets everybody know who may look into the runtime directory.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Replaced in one step; not durable, like the directory.
    func publish(in runtimeDirectory: FilePath) throws {
        try OpenDirectory.make(runtimeDirectory)
        try VolatileFile.replace(
            runtimeDirectory.appending(Self.name), with: json(rootLimit: 0).bytes + [0x0A], mode: 0o644)
    }

    /// Takes back what was published.
    static func withdraw(from runtimeDirectory: FilePath) {
        _ = runtimeDirectory.appending(name).withPlatformString { unlink($0) }
    }

    /// What a daemon that lives has published, or nil.
    ///
    /// A file of a daemon that was killed stays; its process is gone then, or began at another time.
    init?(publishedIn runtimeDirectory: FilePath) {
        guard
            let file = try? OpenDirectory(runtimeDirectory).readFile(Self.name, limit: 1 << 16),
            let status = try? DaemonStatus(parsing: file.contents), status.isLiving
        else { return nil }
        self = status
    }

    /// Whether the process that told this is still there.
    var isLiving: Bool {
        if let startTicks, let now = Self.startTicks(of: process) { return now == startTicks }
        // Another user's process may be hidden, but not that there is one (kill(2), "EPERM").
        guard let process = pid_t(exactly: process), process > 0 else { return false }
        return kill(process, 0) == 0 || errno == EPERM
    }

    /// When a process began, in ticks since the machine did.
    ///
    /// Source: proc(5), /proc/pid/stat, field 22; the second, in brackets, may hold brackets and spaces.
    private static func startTicks(of process: Int64) -> Int64? {
        guard let file = try? OpenFile(FilePath("/proc/\(process)/stat"), O_RDONLY),
            let bytes = try? file.bytes(at: 0, count: 4096), let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? Int64(String(decoding: fields[19], as: UTF8.self)) : nil
    }
}
