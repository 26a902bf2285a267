internal import Foundation
package import Testing

/// Compares with a kept file; `TRACE_UPDATE_GOLDEN=1` writes it anew, to be looked at before it is committed.
package func expectGolden(
    _ text: String, _ name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
) throws {
    let golden = URL(filePath: file).deletingLastPathComponent().appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["TRACE_UPDATE_GOLDEN"] == "1" {
        try Data(text.utf8).write(to: golden)
    }
    let kept = try String(decoding: Data(contentsOf: golden), as: UTF8.self)
    guard kept != text else { return }
    Issue.record("\(name) differs:\n\(differences(from: kept, to: text))", sourceLocation: location)
}

/// The lines that went (`-`) and came (`+`), the first of many.
private func differences(from kept: String, to text: String) -> String {
    func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let lines = lines(text).difference(from: lines(kept)).map { change in
        switch change {
        case .remove(let offset, let line, _): (offset, "\(offset + 1) - \(line)")
        case .insert(let offset, let line, _): (offset, "\(offset + 1) + \(line)")
        }
    }
    return lines.sorted { $0.0 < $1.0 }.prefix(40).map(\.1).joined(separator: "\n")
}
