internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

/// Checks single records before they are written.
package enum RecordCheck {
    /// - Returns: The id that it has.
    /// - Throws: ``FileError`` with `.invalidData`.
    @discardableResult
    static func require(_ record: [UInt8], toBe kind: RecordKind) throws -> ULID? {
        try require(record, as: .of(kind))
    }

    /// As ``require(_:toBe:)``, of any kind of record.
    @discardableResult
    static func require(_ record: [UInt8], as schema: RecordSchema) throws -> ULID? {
        let checker = try RecordChecker(schema: schema)
        var findings: [Finding] = []
        let id = PaddedBytes.withLine(record) { line in checker.check(line) { findings.append($0) }?.id }
        guard let finding = findings.first(where: { $0.severity == .error }) else { return id }
        throw FileError(.invalidData, "\(finding.message) [\(finding.rule.id)]", cure: finding.rule.cure)
    }

    /// The id that a record has, or nil.
    static func id(of record: [UInt8]) -> ULID? {
        (try? JSONParser().withParsed(record) { $0[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) }) ?? nil
    }

    /// Whether these bytes are a whole JSON object.
    package static func isObject(_ bytes: [UInt8]) -> Bool {
        (try? JSONParser().withParsed(bytes) { $0.kind == .object }) ?? false
    }
}
