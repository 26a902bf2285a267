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
}
