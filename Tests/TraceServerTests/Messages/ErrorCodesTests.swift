import Foundation
import HTTPTypes
import RecordFormat
import Testing
import TestSupport
import TraceFiles

@testable import TraceCommands
@testable import TraceConfiguration
@testable import TraceExchange
@testable import TraceIndex
@testable import TraceLibrary
@testable import TraceServer
@testable import TraceWatch

/// What each error means to a client and to a script is an interface: `docs/errors.md` has all of it.
struct ErrorCodesTests {
    /// A code, and the type of the errors that have it.
    private struct Coded: Hashable, Comparable {
        let code: String
        let owner: String

        static func < (one: Coded, other: Coded) -> Bool { (one.code, one.owner) < (other.code, other.owner) }
    }

    private static let sources = SourceFile.all.map(\.text)
        .filter { $0.contains("Code(rawValue") || $0.contains("Code: String") || $0.contains("Problem(") }

    /// The codes that the sources declare, each below the type, or the extension of its codes, that it belongs to.
    private static let declared: Set<Coded> = {
        var found: Set<Coded> = []
        for text in sources {
            var owner: String?
            var isEnumeration = false
            for line in text.split(separator: "\n")
            where line.contains("Error") || line.contains("Code") || line.contains("case ") {
                if let match = line.firstMatch(
                    of: #/(?:struct (\w+Error): .*StructuredError|^extension (\w+)\.Code)/#)
                {
                    owner = String(match.1 ?? match.2 ?? "")
                    isEnumeration = false
                }
                if line.contains("enum Code: String") { isEnumeration = true }
                guard let owner else { continue }
                if let code = line.firstMatch(of: #/Code\(rawValue: "([a-z-]+)"/#)?.1 {
                    found.insert(Coded(code: String(code), owner: owner))
                } else if isEnumeration, let code = line.firstMatch(of: #/^ +case \w+ = "([a-z-]+)"/#)?.1 {
                    found.insert(Coded(code: String(code), owner: owner))
                }
            }
        }
        return found
    }()

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

    private static func error(_ coded: Coded) throws -> any Error {
        let code = coded.code
        switch coded.owner {
        case "FileError": return FileError(.init(rawValue: code), "")
        case "FormatError": return FormatError(.init(rawValue: code), "")
        case "IndexError": return IndexError(.init(rawValue: code), "")
        case "ConfigurationError": return ConfigurationError(.init(rawValue: code), "", at: nil)
        case "WatchError": return WatchError(.init(rawValue: code), "")
        case "LibraryError": return LibraryError(try #require(.init(rawValue: code)), "")
        case "ExchangeError": return ExchangeError(try #require(.init(rawValue: code)), "")
        default:
            Issue.record("add \(coded.owner) to this test")
            throw CocoaError(.featureUnsupported)
        }
    }

    private static func table() throws -> String {
        var rows: [(String, String)] = []
        for coded in declared where coded.owner != "ProtocolError" {
            let error = try error(coded)
            let asked = Problem(error, isQuestion: true).status.code
            let written = Problem(error).status.code
            let http = asked == written ? "\(written)" : "\(written), \(asked) for a question"
            rows.append((coded.code, "\(http) | \(CommandFailure(error).status.rawValue)"))
        }
        for text in sources {
            for line in text.split(separator: "\n") where line.contains(", status: ") {
                guard let match = line.firstMatch(of: #/Code\(rawValue: "([a-z-]+)", status: (\d+)\)/#) else {
                    continue
                }
                rows.append((String(match.1), "\(match.2) |"))
            }
        }
        for problem in ofServer {
            let status = try #require(statuses[problem[1]], "add .\(problem[1]) to this test")
            rows.append((problem[0], "\(status.code) |"))
        }
        let lines = Set(rows.map { "| `\($0.0)` | \($0.1) |".replacing("|  |", with: "| |") })
        return lines.sorted().map { $0 + "\n" }.joined()
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
