import RecordFormat
import Testing
import TraceText

@testable import PracticeJournal

/// What is kept beside a document is read again as it was written, or not at all.
struct KeptListTests {
    @Test(arguments: ["0", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeg"])
    func `hashes that were cut off are none`(text: String) {
        #expect(PastValues(hashes: text, orders: []) == nil)
    }

    @Test func `whole hashes are read`() throws {
        #expect(try #require(PastValues(hashes: "", orders: [])).hashes.isEmpty)
        #expect(
            try #require(PastValues(hashes: "0123456789abcdef", orders: [])).hashes == [0x0123_4567_89AB_CDEF]
        )
    }

    @Test(arguments: ["[]", "7", "\"phone\"", "null", "", "{", #"{"phone":{}}"#, #"{"phone":7}"#])
    func `a list of refused copies that is none is not an empty one`(text: String) {
        #expect(RefusedReplica.list(Array(text.utf8)) == nil)
    }

    @Test func `an empty list is one`() { #expect(RefusedReplica.list(Array("{}".utf8))?.isEmpty == true) }
}
