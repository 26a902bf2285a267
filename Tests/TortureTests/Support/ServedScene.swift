import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Two sessions, `set` and `other`, the real `traced` that serves them over HTTP, and a device that writes into them.
final class ServedScene {
    let scratch: Scratch
    /// Where the sessions are found from outside of the daemon's mounts.
    private let sessions: String
    private(set) var daemon: DaemonProcess
    private let wrapper: [String]
    private var port: Int
    private var token = ""
    private var lastID = 100
    /// How many codes of pairings the daemon was sent: it takes ten at once, and then one in six seconds.
    private var attempts = 0

    /// The id of the session in `sessions/set`.
    static let set = number(1)
    /// That of the one in `sessions/other`.
    static let other = number(2)

    convenience init() throws {
        let scratch = try Scratch()
        try scratch.session("set", id: 1, markers: marker(10, at: 1000))
        try scratch.session("other", id: 2)
        try self.init(scratch)
    }

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - disk: The small disk that the sessions are on, if they are not in the scratch directory itself.
    init(_ scratch: Scratch, on disk: TinyDisk? = nil) throws {
        self.scratch = scratch
        sessions = disk?.path ?? scratch.sessions
        wrapper = disk?.entering ?? []
        (daemon, port) = try Self.start(scratch, wrapper)
        let outcome = try scratch.trace("token", "add", "--name", "device", "--scope", "admin", "--json")
        let added = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        token = try #require(added?["token"] as? String)
    }

    private static func start(_ scratch: Scratch, _ wrapper: [String]) throws -> (DaemonProcess, Int) {
        let daemon = try DaemonProcess(
            in: URL(filePath: scratch.path), environment: ["TRACE_HTTP_LISTEN": "127.0.0.1:0"],
            under: wrapper)
        var port: Int?
        try soon("the daemon listens: \(daemon.log)") {
            port = daemon.log.firstMatch(of: #/ listening address=127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
            return port != nil
        }
        return (daemon, try #require(port))
    }

    /// Kills the daemon, unless a fault has done so, and starts another on the same directories.
    func restart(isKilled: Bool = false) throws {
        if isKilled { _ = daemon.waitForExit() } else { daemon.kill() }
        (daemon, port) = try Self.start(scratch, wrapper)
        attempts = 0
    }

    /// A thread of the daemon's, such as `http-write`, which writes for all clients.
    func thread(_ name: String) throws -> pid_t {
        let tasks = "/proc/\(daemon.id)/task"
        var found: pid_t?
        try soon("there is a thread \(name)") {
            found = try FileManager.default.contentsOfDirectory(atPath: tasks).first { task in
                (try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)) == "\(name)\n"
            }.flatMap { pid_t($0) }
            return found != nil
        }
        return try #require(found)
    }

    /// An id that no record has.
    func newID() -> String {
        lastID += 1
        return number(lastID)
    }

    // MARK: - Asking

    /// A request of the device.
    struct Request {
        var method: String
        /// Below `/api/v1`.
        var path: String
        var json: String?
        var type = "application/json"
        var fields: [(String, String)] = []
        /// Whether it says who asks.
        var hasToken = true
    }

    /// Sends a request over a new connection and reads the answer.
    ///
    /// - Throws: ``ConnectionClosed`` if there is none.
    func send(_ request: Request) throws -> WireAnswer {
        var fields = request.fields
        if request.hasToken { fields.append(("Authorization", "Bearer \(token)")) }
        if request.json != nil { fields.append(("Content-Type", request.type)) }
        if request.path == "/pair" { attempts += 1 }
        return try WireClient(port: port).request(
            request.method, "/api/v1\(request.path)", fields, body: request.json.map { Data($0.utf8) })
    }

    /// Sends a request until it is answered with one of these: as long as the daemon itself is at the session, it waits, or is to be sent again.
    func send(_ request: Request, until statuses: Set<Int>) throws -> WireAnswer {
        var answer = try send(request)
        try soon("\(request.method) \(request.path) is answered with one of \(statuses): \(answer)") {
            if statuses.contains(answer.status) { return true }
            guard [202, 503].contains(answer.status) else {
                throw NeverCameTrue(what: "\(statuses) of \(request): \(answer)")
            }
            try flush()
            answer = try send(request)
            return false
        }
        return answer
    }

    func get(_ path: String) throws -> WireAnswer { try send(Request(method: "GET", path: path)) }

    /// Has what waits written.
    func flush() throws {
        let answer = try send(Request(method: "POST", path: "/queue/flush"))
        #expect(answer.status == 200, "\(answer)")
    }

    /// Begins a pairing by the command line; the daemon takes at least four codes after it.
    func beginPairing() throws -> String {
        if attempts > 6 { try restart() }
        let outcome = try scratch.trace("pair", "--scope", "mark", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
        return try #require(object?["code"] as? String, "\(outcome)")
    }

    // MARK: - What must hold

    /// How many lines of a file below `sessions` have an id.
    func count(_ id: String, in file: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: "\(sessions)/\(file)") else { return 0 }
        return try text(file).split(separator: "\n").count { $0.contains("\"id\":\"\(id)\"") }
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOfFile: "\(sessions)/\(file)", encoding: .utf8)
    }

    private func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(sessions)/\(directory)")
    }

    /// Checks that every line of the sessions is whole, and their headers are.
    func checkLines(_ what: String) throws {
        for session in ["set", "other"] {
            for name in try names(in: session) {
                if name == "session.json" {
                    #expect(try Self.isObject(text("\(session)/\(name)")), "\(what): \(session)/\(name)")
                } else if name.hasSuffix(".jsonl") {
                    let lines = try text("\(session)/\(name)").split(
                        separator: "\n", omittingEmptySubsequences: false)
                    #expect(lines.last == "", "\(what): \(session)/\(name)")
                    for line in lines.dropLast() {
                        #expect(Self.isObject(line), "\(what): \(session)/\(name): \(line)")
                    }
                }
            }
        }
    }

    private static func isObject(_ text: some StringProtocol) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any]
    }

    /// Checks that nothing is left in the sessions that is ours alone, once a drain that may be bringing a header up to date is through.
    func checkNames(_ what: String) throws {
        for session in ["set", "other"] {
            try soon("\(session) has no files of ours: \(what)") {
                try Set(names(in: session)).subtracting(Scene.names) == []
                    && names(in: "\(session)/media").allSatisfy { !$0.hasPrefix(".") }
            }
        }
    }

    /// Checks the sessions as `trace validate` does.
    func checkSessions(_ what: String) throws {
        for session in ["set", "other"] {
            let command =
                wrapper + [Binaries.url("trace").path, "validate", "\(scratch.sessions)/\(session)"]
            let outcome = try scratch.run("/usr/bin/env", command)
            #expect(outcome == Outcome("ok: <scratch>/sessions/\(session)\n"), "\(what)")
        }
    }
}
