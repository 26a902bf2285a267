import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFormat
import TraceStore
import TraceText

@testable import TraceLibrary

/// Which record of a session a name means, without a command line.
struct RecordLookupTests {
    private let target: SessionTarget
    private let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
        let session = try SampleSession(at: scratch("a"))
        // 1:30.000 the first, 1:30.250 and 1:35.000 the others.
        try session("markers.jsonl").write(
            [(11, 90_000), (12, 90_250), (23, 95_000)].map { id, offset in
                """
                {"id":"\(number(id))","offset_ms":\(offset),"created_at":"2026-02-04T20:01:00.000Z","source":"user","label":"m\(id)"}

                """
            }.joined())
        target = try SessionTarget(reading: session.path)
    }

    @Test(arguments: [
        ("last", 23), ("@1:35", 23), ("@1:30.2", 12), ("0011", 11), ("\(number(7))", 7),
        ("\(number(7))".lowercased(), 7),
    ])
    func `one that is found`(name: String, id: Int) throws {
        #expect(try RecordName.id(of: name, .marker, in: target) == number(id))
    }

    @Test(arguments: [
        ("first", LibraryError.Code.recordNameMalformed), ("@2:00", .recordNotFound),
        ("0099", .recordNotFound),
        ("@1:30", .recordAmbiguous), ("01J0", .recordAmbiguous),
    ])
    func `one that is not`(name: String, code: LibraryError.Code) {
        #expect(throws: LibraryError.self) { try RecordName.id(of: name, .marker, in: target) }.map {
            #expect($0.code == code)
        }
    }

    @Test func `a reference needs the session, unless it is a whole id`() throws {
        #expect(try RecordName.reference(nil, "marker_id", to: .marker, in: nil) == nil)
        #expect(try RecordName.reference("", "marker_id", to: .marker, in: target) == nil)
        #expect(
            try RecordName.reference("\(number(7))", "marker_id", to: .marker, in: nil) == number(7))
        #expect(try RecordName.reference("last", "marker_id", to: .marker, in: target) == number(23))
        let error = #expect(throws: LibraryError.self) {
            try RecordName.reference("last", "marker_id", to: .marker, in: nil)
        }
        #expect(error?.message == "marker_id 'last' is not a ULID")
    }
}
