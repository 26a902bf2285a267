import TestSupport
import Testing

/// A cure that names a command as mere words would be told to who has no commands.
struct CureWordsTests {
    /// Those that speak to one kind of user alone.
    private static let frontEnds: Set = ["TraceCommands", "TraceDaemon", "TraceServer", "trace", "traced"]

    @Test func `no cure below the front ends has the words of the command line`() {
        let words = #/cure:\s*(?:\[\s*)?(?:[^",]*\?\s*)?"[^"\n]*'trace /#
        let files = SourceFile.all.filter { !Self.frontEnds.contains($0.module) }
        #expect(files.contains { $0.text.contains(#"\(verb: ""#) })
        for file in files {
            for match in file.text.matches(of: words) {
                Issue.record(#"\#(file.name): write \(verb: "…") in \#(match.0.suffix(80))"#)
            }
        }
        #expect(#"cure: isNew ? "see 'trace queue list'" : nil"#.contains(words))
    }
}
