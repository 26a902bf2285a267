import Foundation
import HTTPTypes
import Testing
import TraceAccess

@testable import TraceServer

/// The table of routes in docs/http.md.
struct RouteReferenceTests {
    @Test func `docs/http.md lists the routes that there are`() throws {
        var text = try String(contentsOf: HTTPExample.page, encoding: .utf8)
        let start = try #require(text.range(of: "<!-- routes: Endpoint.all -->\n")).upperBound
        let end = try #require(text.range(of: "<!-- routes: end -->", range: start..<text.endIndex))
            .lowerBound
        if text[start..<end] != Self.table, ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil
        {
            text.replaceSubrange(start..<end, with: Self.table)
            return try Data(text.utf8).write(to: HTTPExample.page)
        }
        #expect(text[start..<end] == Self.table, "run the tests with TRACE_UPDATE_GOLDEN=1")
    }

    private static var table: String {
        let rows = Endpoint.all.map { endpoint in
            let path = endpoint.fullPath.replacing("...}", with: "…}")
            return
                "| \(endpoint.method.rawValue) | `\(path)` | \(scope(of: endpoint)) | \(endpoint.summary) |\n"
        }
        return "| method | path | scope | what |\n|---|---|---|---|\n" + rows.joined()
    }

    private static func scope(of endpoint: Endpoint) -> String {
        switch endpoint.access {
        case .anyone: "–"
        case .scope(let scope): "`\(scope.rawValue)`"
        case .scopeOrLink(let scope): "`\(scope.rawValue)`, or a link"
        case .feed: "`feed`, in the address"
        case .unfiltered(let scope): "`\(scope.rawValue)`, whole machine"
        }
    }
}
