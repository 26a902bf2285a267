import Foundation

extension Scratch {
    /// What is kept of an output, by name; written anew with `TRACE_UPDATE_GOLDEN` set.
    static func golden(_ name: String, _ text: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Golden/\(name)")
        if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] != nil {
            try Data(text.utf8).write(to: file)
        }
        return try String(contentsOf: file, encoding: .utf8)
    }
}
