import Testing
import TraceText

/// The names that a mistyped one may stand for.
@Suite struct NearestNameTests {
    @Test(arguments: [
        ("roots", "roots", 0), ("root", "roots", 1), ("rotos", "roots", 1), ("", "abc", 3), ("abc", "", 3),
        ("kitten", "sitting", 3),
    ])
    func `edits are counted`(source: String, target: String, edits: Int) {
        #expect(editDistance(Array(source), Array(target)) == edits)
    }
}
