internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

/// Checks single records before they are written.
enum RecordCheck {
    /// - Throws: ``FileError`` with `.invalidData`.
    static func require(_ record: [UInt8], toBe kind: RecordKind) throws {
        let checker = try RecordChecker(kind)
        var findings: [Finding] = []
        PaddedBytes.withLine(record) { line in _ = checker.check(line) { findings.append($0) } }
        guard let finding = findings.first(where: { $0.severity == .error }) else { return }
        throw FileError(.invalidData, "\(finding.message) [\(finding.rule.id)]", hint: finding.rule.cure)
    }

    /// The id that a record bears, or nil.
    static func id(of record: [UInt8]) -> ULID? {
        (try? JSONParser().withParsed(record) { $0[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) }) ?? nil
    }

    /// Whether these bytes are a whole JSON object.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        (try? JSONParser().withParsed(bytes) { $0.kind == .object }) ?? false
    }
}
