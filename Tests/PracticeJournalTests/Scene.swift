import Foundation
import PracticeJournal
import RecordFormat
import Testing

/// What tests read and make.
enum Scene {
    /// 2026-03-15T12:00:00Z
    static let now = Timestamp(milliseconds: 1_773_576_000_000)

    static func reading(_ text: some Sequence<UInt8>, library: GameLibrary = GameLibrary()) throws
        -> PracticeReading
    {
        try PracticeReading(Array(text), library: library, now: now)
    }

    static func document(_ text: some Sequence<UInt8>) throws -> PracticeDocument {
        try #require(try reading(text).document)
    }

    static func library(_ items: GoldenValue?) throws -> GameLibrary {
        let items = try #require(items)
        return try #require(items.read { GameLibrary($0) })
    }

    /// The invented library of the goldens.
    static func library() throws -> GameLibrary {
        try library(GoldenCase.all(of: "practice-game-ids").first?.file["library"])
    }

    static func zone(_ name: String) throws -> ZoneRules {
        if name == "UTC" { return .utc }
        let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)"))
        return try ZoneRules(name: name, file: Array(file))
    }

    static func groups(_ groups: GoldenValue?) throws -> [PracticeGroup] {
        let text = #"{"customGroups":"# + (groups?.description ?? "[]") + "}"
        return try document(text.utf8).groups
    }
}

/// Two real numbers that are the same but for rounding.
func isClose(_ one: Double?, _ other: Double?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= 1e-12 * max(abs(one), abs(other), 1)
}
