import PracticeJournal
import RecordFormat
import Testing

struct OperationTests {
    @Test(arguments: GoldenCase.all(of: "practice-operations"))
    func `a write makes its records`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let document = try Scene.document(golden["before"]?.bytes ?? Array("{}".utf8))
        let context = WriteContext(
            entry: try #require(ULID(golden.text("entry"))),
            at: Timestamp(milliseconds: Int64(try #require(golden["at_ms"]?.integer))),
            document: document, library: try Scene.library(golden.file["library"]),
            zone: .utc)
        let write = try Scene.write(golden.text("operation"), golden.need("arguments"))
        var change = DocumentChange()
        var result = ""
        do throws(WriteRejection) {
            switch try write.outcome(context) {
            case .change(let made, _), .counted(let made, _):
                change = made
                result = "applied"
            case .log, .slots: result = "logged"
            case .nothing(let reason): result = "nothing: \(reason)"
            }
        } catch {
            result = "rejected: \(error.message)"
        }
        #expect(result == expected.text("result"))
        let records = try expected.need("records").members
        #expect(Set(change.added.map(\.array.rawValue)) == Set(records.map(\.name)))
        for (array, records) in records {
            let made = change.added.filter { $0.array.rawValue == array }.map { GoldenValue($0.json.bytes) }
            #expect(made == records.elements)
        }
        // What was there stays, and what is new can be read.
        let written = try Scene.reading(try document.applying(change))
        #expect(
            written.document?.rows.count == document.rows.count
                + change.added.count {
                    $0.array == .journalEntries
                })
    }
}
