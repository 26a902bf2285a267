import PracticeJournal
import RecordFormat
import Testing

struct EditTests {
    @Test(arguments: GoldenCase.all(of: "practice-edits"))
    func `a row changes with its records, and no others`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let text = try golden.file.need("document")
        let document = try Scene.document(text.bytes)
        var result = ""
        var change = DocumentChange()
        var links: [LinkOutcome] = []
        do {
            switch try outcome(golden, document) {
            case .changed(let made, let outcomes):
                (change, links) = (made, outcomes)
                result = golden.text("operation") == "delete" ? "deleted" : "changed"
            case .noSuchRow: result = "no-such-row"
            case .notEditable: result = "not-editable"
            }
        } catch let error as WriteRejection {
            result = "rejected: \(error.message)"
        } catch let error as ArgumentProblem {
            result = "rejected: \(error.message)"
        }
        #expect(result == expected.text("result"))
        #expect(links.map { GoldenValue($0.json.bytes) } == (try expected.need("linked").elements))

        let after = GoldenValue(try document.applying(change))
        let removed = expected["removed"]?.members ?? []
        let changed = expected["changed"]?.members ?? []
        for array in PracticeArray.allCases.map(\.rawValue) {
            let old = text[array]?.elements ?? []
            let new = after[array]?.elements ?? []
            let gone = removed.first { $0.name == array }?.value.elements.compactMap(\.string) ?? []
            let ids = Set(new.map { $0.text("id") })
            if golden.text("operation") == "delete" {
                #expect(old.map { $0.text("id") }.filter { !ids.contains($0) } == gone)
            }
            let different = new.filter { record in !old.contains { $0.bytes == record.bytes } }
            #expect(different == changed.first { $0.name == array }?.value.elements ?? [], "\(array)")
        }
    }

    private func outcome(_ golden: GoldenCase, _ document: PracticeDocument) throws
        -> RowOutcome
    {
        let row = golden.text("row")
        guard golden.text("operation") == "edit", let entry = ULID(golden.text("entry")) else {
            return try RowDeletion(of: row).outcome(in: document)
        }
        let patch = try Scene.patch(golden.need("patch"))
        return try RowEdit(of: row, patch, entry: entry).outcome(in: document)
    }

    /// A video entry near in time, with the same value, of another game or of another kind is not the row's.
    @Test(arguments: [#""gameID":"G2","kind":"percent""#, #""gameID":"G1","kind":"clock""#])
    func `a row of a video stands for the entry of its game and kind`(other: String) throws {
        func entry(_ number: Int, _ members: String, at time: Int) -> String {
            #"{"id":"00000000-0000-4000-8000-00000000000\#(number)",\#(members),"value":"60%","timestamp":\#(1_772_402_400_000 + time)}"#
        }
        let own = entry(1, #""gameID":"G1","kind":"percent""#, at: 8500)
        let row =
            #"{"id":"00000000-0000-4000-8000-00000000000A","gameID":"G1","action":"tutorialWatch","task":"tutorialVideo","videoKind":"percent","videoValue":"60%","timestamp":1772402409000}"#
        let document = try Scene.document(
            #"{"schemaVersion":4,"videoProgressEntries":[\#(own),\#(entry(2, other, at: 9000))],"journalEntries":[\#(row)]}"#
                .utf8)
        let deletion = RowDeletion(of: "00000000-0000-4000-8000-00000000000A")
        guard case .changed(let change, _) = try deletion.outcome(in: document) else {
            Issue.record("nothing is deleted")
            return
        }
        let removed = change.removed.filter { $0.array == .videoProgressEntries }
        #expect(removed.map(\.index) == [0])
    }
}
