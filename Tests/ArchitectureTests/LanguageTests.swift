import Foundation
import TestSupport
import Testing

/// The texts of the product avoid what docs/contributing.md lists under "Words to avoid".
struct LanguageTests {
    @Test func `no text has a phrase to avoid`() throws {
        let phrases = try Self.phrases()
        #expect(phrases.count > 20, "the table is found")
        for file in try Self.files() {
            let words = Self.words(of: try String(contentsOf: file, encoding: .utf8))
            for phrase in phrases where words.range(of: " \(phrase) ") != nil {
                Issue.record("\(file.path): '\(phrase)'")
            }
        }
    }

    /// The code spans in the first column of the table.
    private static func phrases() throws -> [String] {
        let guide = try String(
            contentsOf: SourceFile.root.appending(path: "docs/contributing.md"), encoding: .utf8)
        let section = guide.components(separatedBy: tableHeading).last ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            let cell = row.split(separator: "|").first ?? ""
            return cell.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
                String($0.element)
            }
        }
    }

    private static let tableHeading = "### Words to avoid"

    /// What is read: of the page, all but its pictures.
    private static let extensions: Set = ["swift", "md", "html", "js", "css", "webmanifest"]

    private static func files() throws -> [URL] {
        let folders = ["Sources", "docs", "page"].map { SourceFile.root.appending(path: $0) }
        return try folders.flatMap { folder in
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return paths.map { folder.appending(path: $0) }.filter { extensions.contains($0.pathExtension) }
        } + ["README.md", "CONTRIBUTING.md", "SECURITY.md"].map { SourceFile.root.appending(path: $0) }
    }

    /// A text in lower case, every run of white space, comment marks and punctuation as one space; without the table itself.
    private static func words(of text: String) -> String {
        let text = text.components(separatedBy: tableHeading).first ?? text
        var bytes: [UInt8] = [0x20]
        for byte in text.lowercased().utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "'"), 0x80...: bytes.append(byte)
            default: if bytes.last != 0x20 { bytes.append(0x20) }
            }
        }
        let words = String(decoding: bytes, as: UTF8.self)
        // "there is no file" is fine, "that is no file" is not.
        return (words + " ").replacingOccurrences(of: " there is no ", with: " ")
    }
}
