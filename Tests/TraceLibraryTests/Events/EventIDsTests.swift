import Foundation
import TestSupport
import Testing

@testable import TraceLibrary

/// The ids of events say nothing to anybody but the process that made them.
struct EventIDsTests {
    private let ids = EventIDs()

    @Test func `an id is read by who made it, and by nobody else`() {
        for number in [0, 1, 2, 255, 4096, Int64.max] {
            let id = ids.id(of: number)
            #expect(ids.number(of: id) == number)
            #expect(EventIDs().number(of: id) == nil)
            for wrong in [id + "0", String(id.dropLast()), id.uppercased() + "x", "", "0.\(number)"] {
                #expect(ids.number(of: wrong) == nil)
            }
            for place in id.indices {
                let other = id[place] == "0" ? "1" : "0"
                #expect(ids.number(of: id.replacingCharacters(in: place...place, with: other)) == nil)
            }
        }
    }

    /// A number may begin with a sign where digits are read: `+7` would be `07`.
    @Test func `an id is written in one way alone`() throws {
        let id = try #require(
            (0..<1000).lazy.map { ids.id(of: $0) }.first { id in
                stride(from: 0, to: 72, by: 2).contains { Array(id.utf8)[$0] == UInt8(ascii: "0") }
            })
        var digits = Array(id)
        let place = try #require(stride(from: 0, to: 72, by: 2).first { digits[$0] == "0" })
        digits[place] = "+"
        #expect(ids.number(of: String(digits)) == nil)
        #expect(ids.number(of: id.uppercased()) == nil || id.uppercased() == id)
    }

    @Test func `neither how many events there were between two, nor whether there was any, can be seen`() {
        let made = (0..<100).map { _ in ids.id(of: 7) } + (0..<100).map { ids.id(of: $0) }
        #expect(Set(made).count == 200)
        // Nor do the digits that are the number's have anything in common.
        for place in [0..<24, 24..<40, 40..<72] {
            #expect(Set(made.map { Array($0)[place] }).count == 200)
        }
    }
}
