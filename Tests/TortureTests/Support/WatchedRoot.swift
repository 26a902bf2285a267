import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A root of sessions, and the real `traced` that keeps its index.
final class WatchedRoot {
    let scratch: Scratch
    private(set) var daemon: DaemonProcess
    private let environment: [String: String]
    private let wrapper: [String]
    private let program: String

    /// The built daemons: the one that is installed, and one that watches through inotify(7) itself.
    static let programs = ["traced", "traced-kernel"]

    /// How all of them are set: files rest soon, and the log tells what a person should know.
    private static let settings = ["TRACE_SETTLE_TIME": "300ms", "TRACE_LOG_LEVEL": "notice"]

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - environment: Variables beside those that every test has.
    ///   - program: One of ``programs``.
    ///   - prepare: Fills the root before.
    ///   - wrapper: What starts the daemon (``DaemonProcess``).
    init(
        _ environment: [String: String] = [:], by program: String = "traced",
        prepare: (Scratch) throws -> Void = { _ in },
        under wrapper: (Scratch) throws -> [String] = { _ in [] }
    ) throws {
        scratch = try Scratch()
        scratch.patience = Torture.isFull ? .seconds(1200) : waitLimit
        self.environment = Self.settings.merging(environment) { $1 }
        self.program = program
        try prepare(scratch)
        self.wrapper = try wrapper(scratch)
        daemon = try DaemonProcess(
            program, in: URL(filePath: scratch.path), environment: self.environment, under: self.wrapper)
    }

    /// Starts a daemon where the last one has ended.
    func start(awaitReady: Bool = true) throws {
        daemon = try DaemonProcess(
            program, in: URL(filePath: scratch.path), environment: environment, under: wrapper,
            awaitReady: awaitReady)
    }

    /// Runs `trace` with the daemon's settings.
    func trace(_ arguments: String...) throws -> Outcome {
        try scratch.trace(arguments, environment: environment)
    }

    /// Appends to a file of a session.
    func append(_ text: String, to file: String) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: "\(scratch.sessions)/\(file)"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    var index: IndexFile { IndexFile(path: "\(scratch.state)/index.sqlite") }

    // MARK: - Rest

    /// What `trace index status` tells.
    struct Status: Decodable {
        struct Search: Decodable {
            var lagging: Bool
        }
        var sessions: Int
        var records: Int
        var lagging: Int
        var search: Search

        /// Whether the index is what the files hold.
        var isUpToDate: Bool { lagging == 0 && !search.lagging }
    }

    /// What the index holds, and how far it lags. It is only looked at.
    func status() throws -> Status {
        let outcome = try trace("index", "status", "--json")
        try #require(outcome.status == 0, "\(outcome)")
        return try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8))
    }

    /// Waits until the daemon has brought the index up to the files, all by itself.
    ///
    /// - Parameter isEnough: What must be true of the index besides.
    func awaitRest(
        _ what: String = "", within limit: Duration = Torture.isFull ? .seconds(1200) : waitLimit,
        _ isEnough: (Status) -> Bool = { _ in true }
    ) throws {
        var last: Outcome?
        do {
            try soon("the index is up to date: \(what)", within: limit) {
                let outcome = try trace("index", "status", "--json")
                last = outcome
                if outcome.status == 0 {
                    let status = try JSONDecoder().decode(Status.self, from: Data(outcome.output.utf8))
                    if status.isUpToDate, isEnough(status) { return true }
                }
                // Who asks takes the processor from whom is asked about.
                usleep(50_000)
                return false
            }
        } catch {
            throw NeverCameTrue(
                what: "\(error)\n\(last.map { "\($0)" } ?? "")\n\(daemon.log.suffix(2000))")
        }
    }

    // MARK: - What must hold at rest

    /// Checks that the index is the one that a fresh reading of the files would make, and that each of its rows slices
    /// one whole line.
    func checkEqualsFiles(_ what: String) throws {
        let verified = try trace("index", "verify", "-v")
        #expect(verified.status == 0, "\(what)\n\(verified)")
        #expect(
            verified.errors == "answered from the index\n",
            "\(what): the daemon has missed something\n\(verified)")
        let sessions = try directories(holding: "session.json")
        let practice = try directories(holding: "practice.json")
        #expect(try index.sessions() == sessions, "\(what)")
        let alone = try paths(named: RandomJournals.loneNames, "%h\\0%p\\0")
        let files = stride(from: 0, to: alone.count, by: 2).filter {
            !sessions.contains(alone[$0]) && !practice.contains(alone[$0])
        }.map { alone[$0 + 1] }
        #expect(
            try index.otherJournals() == practice.subtracting(sessions).union(files), "\(what)")
        #expect(try index.brokenSlices() == [], "\(what)")
    }

    /// The directories that hold a header of that name, found without the help of what is tested.
    private func directories(holding name: String) throws -> Set<Data> {
        try Set(paths(named: [name], "%h\\0", type: "-xtype"))
    }

    private func paths(named names: [String], _ format: String, type: String = "-type") throws -> [Data] {
        let isNamed = names.flatMap { ["-o", "-name", $0] }.dropFirst()
        let found = try scratch.run(
            "/usr/bin/find",
            [
                scratch.sessions, "(", "-name", ".stversions", "-o", "-name", "*.trace-new", ")", "-prune",
                "-o", "(",
            ] + isNamed + [")", type, "f", "-fprintf", "\(scratch.path)/found", format])
        try #require(found.status == 0, "\(found)")
        let bytes = try Data(contentsOf: URL(filePath: "\(scratch.path)/found"))
        return bytes.split(separator: 0).map { Data($0) }
    }
}
