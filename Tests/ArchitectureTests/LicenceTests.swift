import Foundation
import ProgramHarness
import TestSupport
import Testing

/// docs/licences.md against what is built.
@Suite struct LicenceTests {
    @Test func `every package that is resolved has its licence told`() throws {
        struct Resolved: Decodable {
            struct Pin: Decodable { var identity: String }
            var pins: [Pin]
        }
        let resolved = try JSONDecoder().decode(
            Resolved.self, from: Data(contentsOf: SourceFile.root.appending(path: "Package.resolved")))
        let told = try rows(of: "What is linked in").filter { $0[1].hasPrefix("SwiftPM") }.map { $0[0] }
        #expect(told.sorted() == resolved.pins.map(\.identity).sorted())
    }

    @Test(arguments: ["trace", "traced"])
    func `every library that a program asks for has its licence told`(_ program: String) throws {
        let told = try rows(of: "What is linked at start").flatMap {
            $0[0].split(separator: ", ").map(String.init)
        }
        let needed = try libraries(of: program)
        #expect(needed.contains("libc.so.6"))
        for library in needed {
            #expect(told.contains { library.hasPrefix($0) }, "\(library) of \(program)")
        }
    }

    /// The shared libraries that a built program names, but for those of Swift's toolchain, which a release links in.
    private func libraries(of program: String) throws -> [String] {
        let readelf = Process()
        let output = Pipe()
        readelf.executableURL = URL(filePath: "/usr/bin/readelf")
        readelf.arguments = ["-d", Binaries.url(program).path]
        readelf.standardOutput = output
        try readelf.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        readelf.waitUntilExit()
        return text.split(separator: "\n").filter { $0.contains("(NEEDED)") }.compactMap { line in
            line.split(separator: "[").last?.split(separator: "]").first.map(String.init)
        }.filter { library in
            !["libswift", "lib_", "libFoundation", "libBlocksRuntime", "libdispatch"].contains {
                library.hasPrefix($0)
            }
        }
    }

    /// The cells of a table of docs/licences.md, row by row.
    private func rows(of heading: String) throws -> [[String]] {
        let page = try String(
            contentsOf: SourceFile.root.appending(path: "docs/licences.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix(heading) })
        return section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
