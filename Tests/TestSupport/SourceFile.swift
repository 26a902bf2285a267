package import Foundation

/// A file below `Sources`: for tests of what the code says, and not of what it does.
package struct SourceFile: Sendable {
    /// The path below `Sources`.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    package var module: String { String(name.prefix { $0 != "/" }) }
    /// The folder of its module in which it lies, however deep; `.` for one that lies beside the folders.
    package var folder: String {
        let components = name.split(separator: "/")
        return components.count > 2 ? String(components[1]) : "."
    }

    /// The directory of the package.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    package static let all: [SourceFile] = {
        let sources = root.appending(path: "Sources").path
        let names = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            let text = try? String(contentsOfFile: "\(sources)/\(name)", encoding: .utf8)
            return SourceFile(name: name, text: text ?? "")
        }
    }()
}
