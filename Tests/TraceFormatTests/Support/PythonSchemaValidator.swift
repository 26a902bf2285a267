import Foundation
import RecordFormat
import TraceFormat

/// PyPI's `jsonschema`, asked through one `python3` process for many records.
struct PythonSchemaValidator {
    let kind: RecordKind

    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether each record, one JSON text without line breaks, is valid under the document that we write.
    ///
    /// - Throws: ``Failed`` with what Python says, where the module is missing, too.
    func verdicts(on records: [[UInt8]]) throws -> [Bool] {
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "trace-schema-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer {
            if ProcessInfo.processInfo.environment["TRACE_KEEP_SCRATCH"] == nil {
                try? FileManager.default.removeItem(at: scratch)
            }
        }
        let schema = scratch.appending(path: "\(kind.rawValue).schema.json")
        try Data(JSONSchemaDocument.document(for: kind).bytes).write(to: schema)
        let lines = scratch.appending(path: kind.fileName)
        try Data(records.flatMap { $0 + [0x0A] }).write(to: lines)

        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "agree.py")
        let answer = try Self.run([script.path, schema.path, lines.path], in: scratch)
        let verdicts = answer.split(separator: "\n").map { $0 == "1" }
        guard verdicts.count == records.count else {
            throw Failed(description: "\(verdicts.count) verdicts on \(records.count) records")
        }
        return verdicts
    }

    /// What Debian's `python3` (which sees Debian's modules) prints; through files, so that nobody waits for a full pipe.
    static func run(_ arguments: [String], in scratch: URL) throws -> String {
        let output = scratch.appending(path: "output.txt")
        let errors = scratch.appending(path: "errors.txt")
        try Data().write(to: output)
        try Data().write(to: errors)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(description: try String(contentsOf: errors, encoding: .utf8))
        }
        return try String(contentsOf: output, encoding: .utf8)
    }
}
