import FormatHarness
import Glibc
import RecordFormat
import TestSupport
import Testing
import TraceFormat

/// Our verdict on a record is that of PyPI's `jsonschema` under the documents that `trace schema` writes, but for the
/// differences that ``VerdictDifference`` lists.
@Suite(.serialized) struct JSONSchemaAgreementTests {
    /// `TRACE_SEED` repeats a run.
    private static let seed =
        getenv("TRACE_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: 0...(.max))

    @Test(arguments: RecordKind.allCases) func `JSON Schema says the same of random records`(kind: RecordKind)
        throws
    {
        print("TRACE_SEED=\(Self.seed) repeats the random records of \(kind.rawValue)")
        var source = RandomRecord(kind, seed: Self.seed)
        let count = Torture.size(full: 3000, sample: 400)
        let records = (0..<count).map { _ in source.text() }
        let verdicts = try PythonSchemaValidator(kind: kind).verdicts(on: records)
        let ours = try Self.verdicts(kind, records)
        for (record, (schema, here)) in zip(records, zip(verdicts, ours)) where schema != here.isValid {
            guard schema, try Self.isMeant(kind, record) else {
                let findings = here.findings.map(\.description)
                Issue.record(
                    "TRACE_SEED=\(Self.seed): valid under the schema: \(schema), here: \(findings)\n\(record.text.debugDescription)"
                )
                continue
            }
        }
        // A generator that makes only valid or only broken records would show nothing.
        #expect((count / 5...count * 4 / 5).contains(verdicts.count { $0 }))
    }

    /// Whether our verdict is the schema's once the causes of the listed differences are taken out of the record.
    private static func isMeant(_ kind: RecordKind, _ record: [UInt8]) throws -> Bool {
        let single = VerdictDifference.all.map { VerdictRepair.repair($0.id, record) }
        // Twice: one cause can hide another.
        let all = (VerdictDifference.all + VerdictDifference.all).reduce(record) {
            VerdictRepair.repair($1.id, $0)
        }
        return try verdicts(kind, single + [all]).contains(where: \.isValid)
    }

    @Test func `every listed difference is one`() throws {
        for difference in VerdictDifference.all {
            let sample = try #require(Self.samples[difference.id], "no sample of \(difference.id)")
            let record =
                Array(try #require(SessionFiles.validRecords[sample.kind]).dropLast().utf8)
                + sample.addition()
            #expect(
                try PythonSchemaValidator(kind: sample.kind).verdicts(on: [record]) == [true],
                "\(difference.id)")
            let here = try #require(Self.verdicts(sample.kind, [record]).first)
            #expect(
                here.findings.filter { $0.severity == .error }.map(\.rule.id) == [difference.rule.id],
                "\(difference.id)")
            guard difference.id != "long-line" else { continue }
            #expect(
                try Self.verdicts(sample.kind, [VerdictRepair.repair(difference.id, record)]).map(\.isValid)
                    == [true])
        }
        #expect(Set(Self.samples.keys) == Set(VerdictDifference.all.map(\.id)))
    }

    /// What is added to a valid record to make a difference: the end of its object.
    private struct Sample: Sendable {
        let kind: RecordKind
        let addition: @Sendable () -> [UInt8]

        init(_ kind: RecordKind, _ addition: @autoclosure @escaping @Sendable () -> String) {
            self.kind = kind
            self.addition = { Array(",\(addition())}".utf8) }
        }
    }

    private static let samples = [
        "number-beyond-64-bits": Sample(.action, #""inputs":{"x":18446744073709551616}"#),
        "nan-and-infinity": Sample(.transcript, #""confidence":NaN"#),
        "lone-surrogate": Sample(.marker, #""label":"\ud83d""#),
        "nesting": Sample(
            .action,
            "\"inputs\":{\"x\":\(String(repeating: "[", count: 126))1\(String(repeating: "]", count: 126))}"),
        "duplicate-key": Sample(.marker, #""source":"robot","source":"user""#),
        "long-line": Sample(
            .marker, "\"label\":\"\(String(repeating: "x", count: LineBuffer.maximumLineLength))\""),
    ]

    private struct Verdict {
        let findings: [Finding]
        var isValid: Bool { !findings.contains { $0.severity == .error } }
    }

    /// What the checker says of each line, which comes to it as out of a file.
    private static func verdicts(_ kind: RecordKind, _ records: [[UInt8]]) throws -> [Verdict] {
        try records.map { record in
            let buffer = LineBuffer(chunk: record.count + 1)
            let space = buffer.space(atLeast: record.count + 1)
            space.copyBytes(from: record)
            space[record.count] = 0x0A
            buffer.filled(record.count + 1)
            let checker = try RecordChecker(kind)
            var findings: [Finding] = []
            guard let line = buffer.next() else { return Verdict(findings: []) }
            _ = checker.check(line) { findings.append($0) }
            return Verdict(findings: findings)
        }
    }
}

extension SessionFiles {
    /// A valid record of some kinds, with what is required and nothing else.
    fileprivate static let validRecords: [RecordKind: String] = [
        .marker:
            #"{"id":"01KGN6Z5BM0000000000000005","offset_ms":1,"created_at":"2026-02-04T20:00:00Z","source":"user"}"#,
        .transcript: #"{"id":"01KGN6Z5BM0000000000000005","offset_ms":1,"duration_ms":1,"text":""}"#,
        .action:
            #"{"id":"01KGN6Z5BM0000000000000005","action":"a","created_at":"2026-02-04T20:00:00Z","status":"started"}"#,
    ]
}
