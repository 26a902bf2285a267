import Foundation
import Glibc
import HTTPTypes
import ProgramHarness
import TestSupport
import Testing

@testable import TraceServer

/// Files that are links, of sessions and of another journal: over HTTP no link leads to bytes, and nothing is written through one.
struct LinksOverTheWireTests {
    private let sample: ServedSample
    /// Where the links lead to.
    private let secret: URL
    private static let word = "a-word-that-nobody-may-see"

    init() throws {
        sample = try ServedSample()
        #expect(try FilledRoutes.prepare(sample).status == 202)
        secret = sample.copy.directory.appending(path: "private")
        try FileManager.default.createDirectory(at: secret, withIntermediateDirectories: true)
    }

    private var session: URL { sample.session(ServedSample.lateSet) }
    private var journal: URL { sample.session("journal-practice") }

    /// How a link leads to a file.
    private enum Kind: CaseIterable {
        case absolute, relative, chained, throughDirectory, dangling, looping

        func link(_ name: URL, to target: URL) throws {
            func link(_ target: String, _ name: String) throws { try #require(symlink(target, name) == 0) }
            let up = String(repeating: "../", count: name.pathComponents.count - 2)
            switch self {
            case .absolute: try link(target.path, name.path)
            case .relative: try link(up + target.path.dropFirst(), name.path)
            case .chained:
                try link(target.path, target.path + ".link")
                try link(target.path + ".link", name.path)
            case .throughDirectory:
                let directory = target.deletingLastPathComponent()
                _ = symlink(directory.path, directory.path + ".link")
                try link("\(directory.path).link/\(target.lastPathComponent)", name.path)
            case .dangling: try link(target.path + ".none", name.path)
            case .looping: try link(name.lastPathComponent, name.path)
            }
        }
    }

    /// Makes links of files, each to one with the secret, for as long as `body` runs.
    private func linking(_ files: [URL], _ kind: Kind, _ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(at: secret, withIntermediateDirectories: true)
        for file in files {
            let target = secret.appending(path: file.lastPathComponent)
            try "# \(Self.word)\n".write(to: target, atomically: true, encoding: .utf8)
            try #require(rename(file.path, file.path + ".own") == 0)
            try kind.link(file, to: target)
        }
        try body()
        let names = try FileManager.default.contentsOfDirectory(atPath: secret.path).sorted()
        let ours = files.map(\.lastPathComponent)
        #expect(names == (ours + (kind == .chained ? ours.map { $0 + ".link" } : [])).sorted(), "\(kind)")
        for file in files {
            let target = secret.appending(path: file.lastPathComponent)
            #expect(try String(contentsOf: target, encoding: .utf8) == "# \(Self.word)\n", "\(file)")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) != "")
            try #require(rename(file.path + ".own", file.path) == 0)
        }
        try FileManager.default.removeItem(at: secret)
        try? FileManager.default.removeItem(atPath: secret.path + ".link")
    }

    private func expectNothing(_ kind: Kind, feed: String) throws {
        // One of its own, which has not searched too often yet.
        let token = try sample.newToken("--scope", "admin")
        for endpoint in Endpoint.routed where endpoint.method == .get && endpoint.id != "getEvents" {
            let path = FilledRoutes.path(of: endpoint, feed: feed)
            let types = ["*/*"] + (endpoint.id == "getDigest" ? ["text/markdown", "text/html"] : [])
            for type in types {
                let answer = try sample.ask("GET", path, [("Accept", type)], token: token)
                #expect(!answer.text.contains(Self.word), "\(kind), \(endpoint.id): \(answer)")
                #expect(answer.status != 500, "\(kind), \(endpoint.id): \(answer)")
            }
        }
    }

    @Test func `no route hands out what a link leads to, or writes there`() throws {
        let feed = try sample.newToken("--scope", "feed")
        let late = "/sessions/\(ServedSample.lateSetID)"
        let folder = session.appending(path: "media")
        let media = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            folder.appending(path: $0)
        }
        let digest = session.appending(path: "digest.md")
        let records = ["markers", "timeline", "transcript", "voice_notes", "actions"].map {
            session.appending(path: "\($0).jsonl")
        }
        let practice =
            ["practice-state.json", "activity.json"].map { journal.appending(path: $0) }
            + ["LPL_Standings", "LPL_Stats", "LPL_Targets", "redacted_players"].map {
                journal.appending(path: "league/\($0).csv")
            } + [journal.appending(path: "library/pinball_library_v3.json")]
        for kind in Kind.allCases {
            // Bytes that are handed out as they are.
            try linking([digest] + media, kind) {
                try expectNothing(kind, feed: feed)
                for path in [
                    "\(late)/digest", "\(late)/files/digest.md", "\(late)/media/\(ServedSample.lateSetMedia)",
                    "\(late)/media/\(ServedSample.lateSetMedia)/peaks",
                ] + media.map({ "\(late)/files/media/\($0.lastPathComponent)" }) {
                    let answer = try sample.ask("GET", path)
                    #expect(
                        answer.status == 404 && answer.code == "leaves-session", "\(kind), \(path): \(answer)"
                    )
                }
                for (method, path, fields, body) in [
                    (
                        "PUT", "\(late)/digest", [("Content-Type", "text/markdown"), ("If-None-Match", "*")],
                        "# Mine\n"
                    ),
                    (
                        "PUT", "\(late)/digest", [("Content-Type", "text/markdown"), ("If-Match", "*")],
                        "# Mine\n"
                    ),
                    ("POST", "\(late)/digest/generate", [], #"{"force":true}"#),
                    ("POST", "\(late)/digest/generate", [], #"{"adopt":true}"#),
                ] {
                    let answer = try sample.ask(method, path, fields, json: body)
                    #expect(
                        answer.status == 404 && answer.code == "leaves-session", "\(kind), \(path): \(answer)"
                    )
                }
            }
        }
        // Files of records: what is not a record is not shown.
        for file in records + practice {
            try linking([file], .absolute) { try expectNothing(.absolute, feed: feed) }
        }
        // A directory on the way.
        try #require(rename(folder.path, secret.path) == 0 && symlink(secret.path, folder.path) == 0)
        let answer = try sample.ask("GET", "\(late)/media/\(ServedSample.lateSetMedia)")
        #expect(answer.status == 404 && answer.code == "leaves-session", "\(answer)")
    }
}
