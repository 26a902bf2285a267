import FileHarness
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import TraceFiles

struct AppendLineTests {
    let scratch: ScratchDirectory
    let lock: DirectoryLock

    init() throws {
        scratch = try ScratchDirectory()
        lock = try DirectoryLock(scratch.path)
    }

    func append(_ line: String, isWhole: Bool = true) throws -> AppendedLine {
        try lock.appendLine(Array(line.utf8), to: "markers.jsonl") { _ in isWhole }
    }

    @Test func `the first line makes the file`() throws {
        let appended = try append("one")
        #expect(try scratch.text(of: "markers.jsonl") == "one\n")
        #expect(appended.offset == 0 && appended.length == 4)
        #expect(appended.createdFile && appended.tornTail == nil)
        let named = try lock.directory.status(of: "markers.jsonl", followingLinks: false)
        #expect(appended.identity == named.identity)
        #expect(named.permissions == 0o644)
    }

    @Test func `offset and length slice the line out of the file`() throws {
        try scratch.write("one\n\ntwo\n", to: "markers.jsonl")
        let appended = try append("drei")
        #expect(appended.offset == 9 && appended.length == 5 && !appended.createdFile)
        #expect(try scratch.text(of: "markers.jsonl") == "one\n\ntwo\ndrei\n")
    }

    @Test func `a whole last line without newline gets one first`() throws {
        try scratch.write("one\ntwo", to: "markers.jsonl")
        var asked: [[UInt8]] = []
        let appended = try lock.appendLine(Array("three".utf8), to: "markers.jsonl") {
            asked.append($0)
            return true
        }
        #expect(asked == [Array("two".utf8)])
        #expect(try scratch.text(of: "markers.jsonl") == "one\ntwo\nthree\n")
        #expect(appended.offset == 8 && appended.length == 6 && appended.tornTail == nil)
    }

    @Test func `torn bytes stay in place and are reported`() throws {
        try scratch.write("one\n{\"id\":", to: "markers.jsonl")
        let appended = try append("three", isWhole: false)
        #expect(try scratch.text(of: "markers.jsonl") == "one\n{\"id\":\nthree\n")
        #expect(appended.tornTail == TornTail(offset: 4, length: 6))
        #expect(appended.offset == 11)
        #expect(try append("four").tornTail == nil)
    }

    @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000])
    func `an unfinished line of any length is handed over whole`(length: Int) throws {
        for prefix in ["", "a\n", String(repeating: "b\n", count: 9000)] {
            let last = String(repeating: "x", count: length)
            try scratch.write(prefix + last, to: "markers.jsonl")
            var asked: [[UInt8]] = []
            let appended = try lock.appendLine([0x79], to: "markers.jsonl") {
                asked.append($0)
                return false
            }
            #expect(asked == (length == 0 ? [] : [Array(last.utf8)]))
            #expect(
                appended.tornTail
                    == (length == 0 ? nil : TornTail(offset: Int64(prefix.utf8.count), length: length)))
        }
    }

    @Test func `a torn line longer than the bound is neither read whole nor asked about`() throws {
        try scratch.write(
            [UInt8](repeating: 0, count: OpenFile.longestTail + 10), to: "markers.jsonl")
        let appended = try lock.appendLine([0x79], to: "markers.jsonl") { _ in
            Issue.record("asked about a part of a line")
            return true
        }
        #expect(appended.tornTail == TornTail(offset: 10, length: OpenFile.longestTail))
        #expect(appended.offset == Int64(OpenFile.longestTail) + 11)
    }

    @Test func `a symbolic link is followed and stays a link`() throws {
        try scratch.makeDirectory("elsewhere")
        try scratch.link("markers.jsonl", to: "second")
        try scratch.link("second", to: scratch("elsewhere").appending("target").string)
        #expect(try append("one").createdFile)
        #expect(try !append("two").createdFile)
        let target = try OpenDirectory(scratch("elsewhere")).readFile("target")
        #expect(target?.contents == Array("one\ntwo\n".utf8))
        let link = try lock.directory.status(of: "markers.jsonl", followingLinks: false)
        #expect(link.kind == .symbolicLink)
    }

    @Test func `links in a circle, pipes and directories are refused without hanging`() throws {
        try scratch.link("circle", to: "circle")
        try #require(mkfifo(scratch("pipe").string, 0o644) == 0)
        try scratch.makeDirectory("directory")
        try scratch.link("up", to: "..")
        #expect(code { try lock.appendLine([1], to: "circle") { _ in true } } == .leavesSession)
        #expect(code { try lock.appendLine([1], to: "pipe") { _ in true } } == .notRegularFile)
        #expect(code { try lock.appendLine([1], to: "directory") { _ in true } } == .notRegularFile)
        #expect(code { try lock.appendLine([1], to: "up") { _ in true } } == .notRegularFile)
    }

    @Test func `a line that is none is refused`() throws {
        #expect(code { try append("") } == .invalidData)
        #expect(code { try append("a\nb") } == .invalidData)
        #expect(try scratch.names().isEmpty)
    }

    @Test func `an append costs the same in a file of a hundred megabytes`() throws {
        try scratch.write("a\n", to: "markers.jsonl")
        try #require(truncate(scratch("markers.jsonl").string, 100 << 20) == 0)
        try scratch.append("\n", to: "markers.jsonl")
        let read = try CountedWork.bytesRead { _ = try append("b") }
        #expect(read < 1 << 16)
    }

    @Test func `threads that append under the lock lose, mix and double nothing`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path
        try await withThrowingTaskGroup { group in
            for writer in 0..<2 {
                group.addTask { try appendNumbered(in: path, writer: writer, count: 1000) }
            }
            try await group.waitForAll()
        }
        try expectAllLines(in: scratch, writers: 2, count: 1000)
    }

    @Test func `processes that append under the lock lose, mix and double nothing`() async throws {
        let scratch = try ScratchDirectory()
        let path = scratch.path.string
        async let first = #expect(processExitsWith: .success) { [path = path as String] in
            try appendNumbered(in: FilePath(path), writer: 0, count: 1000)
        }
        async let second = #expect(processExitsWith: .success) { [path = path as String] in
            try appendNumbered(in: FilePath(path), writer: 1, count: 1000)
        }
        _ = await (first, second)
        try expectAllLines(in: scratch, writers: 2, count: 1000)
    }
}

private func appendNumbered(in path: FilePath, writer: Int, count: Int) throws {
    for number in 0..<count {
        try DirectoryLock.holding(path, timeout: .seconds(120)) { lock in
            let line = "\(writer):\(number):" + String(repeating: "x", count: number % 300)
            let appended = try lock.appendLine(Array(line.utf8), to: "markers.jsonl") { _ in
                Issue.record("met an unfinished line")
                return false
            }
            try #require(appended.length == line.utf8.count + 1)
        }
    }
}

private func expectAllLines(in scratch: ScratchDirectory, writers: Int, count: Int) throws {
    let text = try scratch.text(of: "markers.jsonl")
    #expect(text.hasSuffix("\n"))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count == writers * count)
    for writer in 0..<writers {
        let own = lines.filter { $0.hasPrefix("\(writer):") }
        #expect(own.map { $0.split(separator: ":")[1] } == (0..<count).map { Substring("\($0)") })
    }
}
