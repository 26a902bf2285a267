import Foundation
import Testing

/// Compares with a kept file; `TRACE_UPDATE_GOLDEN=1` writes it anew, to be looked at before it is committed.
func expectGolden(
    _ text: String, _ name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
) throws {
    let golden = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] == "1" {
        try Data(text.utf8).write(to: golden)
    }
    #expect(try String(decoding: Data(contentsOf: golden), as: UTF8.self) == text, sourceLocation: location)
}
