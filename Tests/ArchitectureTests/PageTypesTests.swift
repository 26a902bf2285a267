import Foundation
import TestSupport
import Testing

/// What the checks of the page know of the API is what the server says.
struct PageTypesTests {
    /// The status and the output of the program that makes the types.
    private static func made(_ arguments: [String], in root: URL) throws -> (status: Int32, output: String) {
        let (python, output) = (Process(), Pipe())
        python.executableURL = URL(filePath: "/usr/bin/python3")
        python.arguments = ["-B", root.appending(path: "Tests/Page/make-types").path] + arguments
        (python.standardOutput, python.standardError) = (output, output)
        try python.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        python.waitUntilExit()
        return (python.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test func `the types are made of the description of the API`() throws {
        let (status, output) = try Self.made(["--check"], in: SourceFile.root)
        #expect(status == 0, "\(output)")
    }

    @Test func `another description makes other types`() throws {
        let files = FileManager.default
        let scratch = files.temporaryDirectory.appending(path: "page-types-\(UUID().uuidString)")
        defer { try? files.removeItem(at: scratch) }
        let page = scratch.appending(path: "Tests/Page/types")
        let docs = scratch.appending(path: "docs")
        for folder in [page, docs] {
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for file in ["Tests/Page/make-types", "Tests/Page/types/api.d.ts"] {
            try files.copyItem(
                at: SourceFile.root.appending(path: file), to: scratch.appending(path: file))
        }
        let description = try String(
            contentsOf: SourceFile.root.appending(path: "docs/openapi.json"), encoding: .utf8)
        try description.replacing("\"marker_count\"", with: "\"mark_count\"").write(
            to: docs.appending(path: "openapi.json"), atomically: true, encoding: .utf8)
        let (status, output) = try Self.made(["--check"], in: scratch)
        #expect(status == 1 && output.contains("run Tests/Page/make-types"), "\(output)")
        #expect(try Self.made([], in: scratch).status == 0)
        #expect(try Self.made(["--check"], in: scratch).status == 0)
        let types = try String(contentsOf: page.appending(path: "api.d.ts"), encoding: .utf8)
        #expect(types.contains("    mark_count: number;\n") && !types.contains("marker_count"))
    }
}
