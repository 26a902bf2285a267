import Foundation
import HTTPTypes
import PracticeJournal
import RecordFormat
import TestSupport
import Testing
import TraceAccess
import TraceDigest
import TraceFiles
import TraceFormat
import TraceMedia
import TraceStore
import TraceText

@testable import TraceCommands
@testable import TraceConfiguration
@testable import TraceExchange
@testable import TraceIndex
@testable import TraceLibrary
@testable import TraceServer
@testable import TraceWatch

/// What each error means to a client and to a script is an interface: `docs/errors.md` has all of it.
struct ErrorCodesTests {
    private static let sources = SourceFile.all.map(\.text)

    /// The lists of codes, of all modules.
    private static let lists: [any ErrorCode.Type] = [
        FileErrorCode.self, FormatErrorCode.self, BlockErrorCode.self, StoreErrorCode.self,
        AccessErrorCode.self, MediaErrorCode.self,
        PracticeErrorCode.self, PracticeRefusalCode.self,
        IndexErrorCode.self, LibraryErrorCode.self, ExchangeErrorCode.self, TemplateErrorCode.self,
        ConfigurationErrorCode.self, WatchErrorCode.self, ProtocolErrorCode.self,
    ]

    @Test func `every list of codes is known here`() {
        let declared = Self.sources.map { $0.matches(of: #/enum \w+: String, ErrorCode \{/#).count }.reduce(
            0, +)
        #expect(declared == Self.lists.count)
    }

    /// The problems that the server makes itself, with the names of their statuses.
    private static let ofServer: Set<[String]> = Set(
        sources.flatMap { text in
            // A regular expression over whole files takes long.
            text.split(separator: "Problem(").dropFirst().compactMap { rest in
                rest.prefix(200).prefixMatch(of: #/\s*\.(\w+), "([a-z-]+)"/#).map {
                    [String($0.2), String($0.1)]
                }
            }
        })

    private static let statuses: [String: HTTPResponse.Status] = [
        "badRequest": .badRequest, "unauthorized": .unauthorized, "forbidden": .forbidden,
        "notFound": .notFound, "methodNotAllowed": .methodNotAllowed, "notAcceptable": .notAcceptable,
        "requestTimeout": .requestTimeout, "conflict": .conflict, "gone": .gone,
        "preconditionFailed": .preconditionFailed, "contentTooLarge": .contentTooLarge,
        "unsupportedMediaType": .unsupportedMediaType, "rangeNotSatisfiable": .rangeNotSatisfiable,
        "unprocessableContent": .unprocessableContent, "preconditionRequired": .preconditionRequired,
        "tooManyRequests": .tooManyRequests, "internalServerError": .internalServerError,
        "serviceUnavailable": .serviceUnavailable,
    ]

    private static func rows<Code: ErrorCode>(_ list: Code.Type) -> [(String, String)] {
        list.allCases.map { code in
            let error = CodedError(code, "", at: nil)
            let asked = Problem(error, isQuestion: true).status.code
            let written = Problem(error).status.code
            let http = asked == written ? "\(written)" : "\(written), \(asked) for a question"
            // No command speaks the protocol.
            return (
                code.rawValue,
                list == ProtocolErrorCode.self
                    ? "\(http) |" : "\(http) | \(CommandFailure(error).status.rawValue)"
            )
        }
    }

    private static func table() throws -> String {
        var rows = lists.flatMap { Self.rows($0) }
        for problem in ofServer {
            let status = try #require(statuses[problem[1]], "add .\(problem[1]) to this test")
            rows.append((problem[0], "\(status.code) |"))
        }
        let lines = Set(rows.map { "| `\($0.0)` | \($0.1) |".replacing("|  |", with: "| |") })
        return lines.sorted().map { $0 + "\n" }.joined()
    }

    @Test func `a name of several is the same to a script and to a client, whatever it names`() {
        let table = Self.lists.flatMap { Self.rows($0) }.filter { $0.0.contains("ambiguous") }
        #expect(table.count > 5)
        for (code, meaning) in table { #expect(meaning == "409 | 64", "\(code)") }
    }

    @Test func `docs/errors.md has every code, with what it means over HTTP and to a script`() throws {
        let path = SourceFile.root.appending(path: "docs/errors.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let header = "|---|---|---|\n"
        let start = try #require(text.range(of: header, options: .backwards)).upperBound
        let table = try Self.table()
        if ProcessInfo.processInfo.environment["TRACE_WRITE_DOCS"] != nil {
            try Data((text[..<start] + table).utf8).write(to: path)
        }
        let isSame = text[start...] == table[...]
        #expect(isSame, "TRACE_WRITE_DOCS=1 and this test rewrite it")
        #expect(table.split(separator: "\n").count > 200)
    }
}
