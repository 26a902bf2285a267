import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The sample's sessions, a daemon that serves them over HTTP, and a way to ask it.
final class ServedSample {
    let copy: SampleCopy
    private(set) var daemon: DaemonProcess
    private(set) var port = 0
    /// A token with all rights, for tests that are not about tokens.
    private(set) var token = ""
    /// Whether what waits for who is at its journal is sent again until it is written; not for tests that are at it themselves.
    ///
    /// A delivery waits 300 ms for the lock of its journal. The daemon itself may be there: a drain that looks at what waits has it for
    /// longer where the disk is slow.
    var isPatient = true

    static let lateSet = "2026-02-04-late-set"
    static let active = "2026-02-11-loop-practice"

    /// - Parameters:
    ///   - environment: Settings besides the address.
    ///   - wrapper: A program with its arguments that becomes the daemon in the end; gets the directory of all files.
    init(_ environment: [String: String] = [:], under wrapper: (URL) -> [String] = { _ in [] }) throws {
        copy = try SampleCopy()
        daemon = try Self.start(copy, environment, wrapper(copy.directory))
        port = try Self.port(of: daemon)
        token = try newToken("--scope", "admin")
    }

    private static func start(
        _ copy: SampleCopy, _ environment: [String: String], _ wrapper: [String] = []
    ) throws -> DaemonProcess {
        let all = ["TRACE_HTTP_LISTEN": "127.0.0.1:0"].merging(environment) { $1 }
        return try DaemonProcess(in: copy.directory, environment: all, under: wrapper)
    }

    /// The port that the daemon says it listens on.
    private static func port(of daemon: DaemonProcess) throws -> Int {
        var found: Int?
        try soon("the daemon listens: \(daemon.log)") {
            found = daemon.log.firstMatch(of: #/ listening address=127\.0\.0\.1:(\d+)/#).flatMap { Int($0.1) }
            return found != nil
        }
        return try #require(found)
    }

    /// Kills the daemon, as a power cut would, and starts another on the same directories.
    func restart(_ environment: [String: String] = [:]) throws {
        daemon.kill()
        daemon = try Self.start(copy, environment)
        port = try Self.port(of: daemon)
    }

    /// Makes a token by the command line.
    func newToken(_ arguments: String...) throws -> String { try newToken(arguments) }

    func newToken(_ arguments: [String]) throws -> String {
        let names = arguments.contains("--name") ? [] : ["--name", "test \(UUID().uuidString.prefix(8))"]
        let text = try Binaries.trace(["token", "add"] + names + arguments + ["--json"], in: copy.directory)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return try #require(object?["token"] as? String)
    }

    /// A connection of its own.
    func connect() throws -> WireClient { try WireClient(port: port) }

    /// Sends a request over a new connection and reads the answer.
    ///
    /// - Parameters:
    ///   - path: Below `/api/v1`, unless it begins with two slashes.
    ///   - token: Instead of the one with all rights; empty for none.
    func ask(
        _ method: String = "GET", _ path: String, _ fields: [(String, String)] = [], token: String? = nil,
        json: String? = nil
    ) throws -> WireAnswer {
        let token = token ?? self.token
        var all = fields
        if !token.isEmpty { all.append(("Authorization", "Bearer \(token)")) }
        if json != nil, !fields.contains(where: { $0.0 == "Content-Type" }) {
            all.append(("Content-Type", "application/json"))
        }
        let target = path.hasPrefix("//") ? String(path.dropFirst()) : "/api/v1\(path)"
        let body = json.map { Data($0.utf8) }
        let answer = try patiently(method) { try connect().request(method, target, all, body: body) }
        if answer["content-type"] == "application/problem+json" {
            let hint = answer.object["hint"] as? String ?? ""
            // A client has no options, and no commands but those to be given on the server.
            let isForOthers =
                hint.contains(#/(^|\s)--[a-z]/#)
                || (hint.contains("'trace ") && !hint.contains("on the server"))
            #expect(!isForOthers, "\(method) \(path): \(answer)")
        }
        expectDescribed(answer, method, target)
        return answer
    }

    /// Sends a request once more until the token may: a test asks faster than that. So it does with what waits for who is at its journal
    /// (``isPatient``).
    ///
    /// - Returns: The last answer, which knows whether it has waited.
    func patiently(_ method: String, _ send: () throws -> WireAnswer) throws -> WireAnswer {
        // The rest of an upload can't be sent again once it has come.
        func isHeldUp(_ answer: WireAnswer) -> Bool {
            isPatient && answer.isHeldUp && (method != "PATCH" || answer.status != 202)
        }
        var answer = try send()
        var hasWaited = isHeldUp(answer)
        guard hasWaited || answer.isTooFast else { return answer }
        try soon("the token may ask again, and what waits is written: \(answer); \(daemon.log)") {
            answer = try send()
            hasWaited = hasWaited || isHeldUp(answer)
            return !isHeldUp(answer) && !answer.isTooFast
        }
        answer.hasWaited = hasWaited
        return answer
    }

    /// Expects that an answer is as the description of the API has it. One that is compressed is not looked at: it is compared with
    /// the plain one by the tests that ask for it.
    func expectDescribed(_ answer: WireAnswer, _ method: String, _ target: String) {
        guard answer["content-encoding"] == nil else { return }
        let breaches = DescribedAnswers.shared.breaches(method, target, answer)
        if !breaches.isEmpty {
            Issue.record("\(method) \(target): \(breaches.joined(separator: "; ")) in \(answer)")
        }
    }

    /// A session's directory.
    func session(_ name: String) -> URL { copy.session(name) }
}
