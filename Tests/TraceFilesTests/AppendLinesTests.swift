import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceText

@testable import TraceFiles

/// Several lines in one append, with other programs in between.
struct AppendLinesTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    private func append(_ lines: [String], _ hook: @escaping FailPoint = { _, _ throws(Errno) in }) throws
        -> AppendedLine
    {
        let lock = try DirectoryLock(scratch.path, failPoint: hook)
        let text = lines.map { $0 + "\n" }.joined()
        return try lock.appendLines(Array(text.utf8), count: lines.count, to: "markers.jsonl") { _ in
            true
        } isOurs: { line in
            lines.contains { line.elementsEqual($0.utf8) }
        }
    }

    @Test func `all stand behind what was there`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        let appended = try append(["one", "two", "three"])
        #expect(try scratch.text(of: "markers.jsonl") == "old\none\ntwo\nthree\n")
        #expect(appended.offset == 4 && appended.length == 14)
    }

    @Test func `they are one write and one sync`() throws {
        let steps = Steps()
        _ = try append(["one", "two"]) { step, _ throws(Errno) in _ = steps.add(step) }
        #expect(steps.all.filter { $0 == .write || $0 == .sync } == [.write, .sync])
    }

    @Test func `a last line without its newline gets one first`() throws {
        try scratch.write("old", to: "markers.jsonl")
        _ = try append(["one", "two"])
        #expect(try scratch.text(of: "markers.jsonl") == "old\none\ntwo\n")
    }

    @Test(arguments: [[], [""], ["a\nb"]]) func `what is no line is refused`(lines: [String]) throws {
        #expect(throws: FileError.self) { try append(lines) }
        #expect(try scratch.names() == [])
    }

    @Test func `a file renamed over ours before the check gets all of them`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        let steps = Steps()
        _ = try append(["one", "two"]) { [scratch] step, _ throws(Errno) in
            if steps.add(step) == 3 { try? scratch.renameOver("markers.jsonl", "synced") }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "synced\none\ntwo\n")
    }

    @Test func `a file renamed over ours that has taken them along does not get them twice`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        let steps = Steps()
        _ = try append(["one", "two"]) { [scratch] step, _ throws(Errno) in
            if steps.add(step) == 3 { try? scratch.renameOver("markers.jsonl", "old\none\ntwo\nmore\n") }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "old\none\ntwo\nmore\n")
    }

    @Test func `one that has taken some of them along is told`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        let steps = Steps()
        let error = #expect(throws: FileError.self) {
            _ = try append(["one", "two"]) { [scratch] step, _ throws(Errno) in
                if steps.add(step) == 3 { try? scratch.renameOver("markers.jsonl", "old\none\n") }
            }
        }
        #expect(error?.code == .changedMeanwhile && error?.cure?.text != nil)
        #expect(try scratch.text(of: "markers.jsonl") == "old\none\n")
    }

    @Test func `a disk that is full leaves none of them`() throws {
        try scratch.write("old\n", to: "markers.jsonl")
        #expect(throws: FileError.self) {
            try append(["one", "two"]) { step, _ throws(Errno) in if step == .sync { throw .noSpace } }
        }
        #expect(try scratch.text(of: "markers.jsonl") == "old\n")
    }
}
