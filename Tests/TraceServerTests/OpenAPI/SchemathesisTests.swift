import Foundation
import ProgramHarness
import TestSupport
import Testing

@testable import TraceServer

/// What schemathesis, of PyPI, makes up for every operation: nothing is a failure of the server, and no answer is other than the
/// description of the API says.
///
/// `make test` asks some operations, by the seed, and `make test-slow` more; `make schemathesis` and `make torture` ask all of them, for half an hour. A stream of
/// events is none of them: schemathesis would wait for its end, and it has none.
struct SchemathesisTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardized
    private static let files = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Schemathesis").path

    private static let checks = [
        "not_a_server_error", "status_code_conformance", "content_type_conformance",
        "response_schema_conformance", "response_headers_conformance", "unsupported_method",
        "allow_header_conformance", "missing_required_header", "ignored_auth", "declared_success",
        "problem_that_says_what",
    ]

    @Test func `no operation answers otherwise than it is described, whatever it is sent`() throws {
        let program = Self.root.appending(path: ".build/python/bin/schemathesis").path
        try #require(
            FileManager.default.isExecutableFile(atPath: program),
            "'make test' installs Tests/requirements.txt there, from PyPI, which it must be able to reach")
        let sample = try ServedSample(["TRACE_HTTP_TRUSTED_PROXIES": "127.0.0.1"])
        let tokens = try (0..<Torture.size(full: 32, sample: 8)).map { _ in
            try sample.newToken("--scope", "admin")
        }
        let scratch = try Scratch()
        scratch.patience = Torture.isFull ? .seconds(3 * 3600) : Torture.isSlow ? .seconds(1800) : waitLimit
        let ending = Endpoint.all.filter { endpoint in
            !endpoint.answers.contains { $0.types.contains("text/event-stream") }
        }
        let operations = Torture.choose(
            ending.map(\.id), sample: Torture.size(full: 4, slow: 24, sample: 4), "schemathesis")
        let outcome = try scratch.run(
            program,
            ["--config-file", "\(Self.files)/schemathesis.toml", "run"]
                + ["http://127.0.0.1:\(sample.port)/api/openapi.json", "--no-color"]
                + ["--checks", Self.checks.joined(separator: ","), "--seed", "\(Torture.seed)"]
                + ["--max-examples", "\(Torture.size(full: 150, slow: 20, sample: 5))"]
                + operations.flatMap { ["--include-operation-id", $0] }, in: "",
            [
                "PYTHONPATH": Self.files, "PYTHONDONTWRITEBYTECODE": "1", "SCHEMATHESIS_HOOKS": "hooks",
                "TOKENS": tokens.joined(separator: " "),
            ])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(sample.daemon.isRunning)
    }
}
