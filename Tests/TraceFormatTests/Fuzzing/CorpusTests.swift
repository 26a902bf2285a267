import Testing
import TraceFuzzing

/// What `make fuzz` checks, on the inputs that are kept of it.
struct CorpusTests {
    private static let corpus =
        "\(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())/Fuzzing/Corpus"

    @Test(arguments: FuzzTarget.allCases) func `of every input that is kept, everything holds`(
        target: FuzzTarget
    ) throws {
        let inputs = try FileTree("\(Self.corpus)/\(target.rawValue)").files
        try #require(!inputs.isEmpty)
        for (name, bytes) in inputs.sorted(by: { $0.key < $1.key }) {
            do {
                try target.check(bytes)
            } catch {
                Issue.record("\(target.rawValue)/\(name): \(error)")
            }
        }
    }

    @Test func `an input that is nothing is an input`() throws {
        for target in FuzzTarget.allCases { try target.check([]) }
    }
}
