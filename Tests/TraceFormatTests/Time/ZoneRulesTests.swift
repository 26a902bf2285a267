import Foundation
import TestSupport
import Testing
import TraceText

@testable import RecordFormat

/// What the clocks of a zone show, by the zone files of the machine (Debian's tzdata).
struct ZoneRulesTests {
    private static let directory = "/usr/share/zoneinfo"

    static func rules(_ name: String) throws -> ZoneRules {
        try ZoneRules(name: name, file: Array(Data(contentsOf: URL(filePath: "\(directory)/\(name)"))))
    }

    private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(text), "\(text)") }

    @Test(arguments: [
        ("Europe/Berlin", "2026-02-04T20:15:47.287Z", "2026-02-04 21:15:47.287 CET"),
        ("Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29 01:59:59 CET"),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29 03:00:00 CEST"),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", "2026-10-25 02:59:59 CEST"),
        ("Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25 02:00:00 CET"),
        // Behind the table, which ends in 2037, the rule holds.
        ("Europe/Berlin", "2050-07-01T00:00:00Z", "2050-07-01 02:00:00 CEST"),
        ("Europe/Berlin", "9999-12-31T23:30:00Z", "9999-12-31 23:59:59 CET"),
        ("Europe/Berlin", "1945-06-01T00:00:00Z", "1945-06-01 03:00:00 CEMT"),
        ("Europe/Berlin", "1850-01-01T00:00:00Z", "1850-01-01 00:53:28 LMT"),
        ("America/New_York", "1969-12-31T23:59:59Z", "1969-12-31 18:59:59 EST"),
        ("Asia/Kathmandu", "2026-02-04T20:15:00Z", "2026-02-05 02:00:00 UTC+05:45"),
        ("America/St_Johns", "2026-07-04T00:00:00Z", "2026-07-03 21:30:00 NDT"),
        ("Pacific/Marquesas", "2026-02-04T20:15:00Z", "2026-02-04 10:45:00 UTC-09:30"),
        // Summer time of half an hour; a winter that is counted as the odd time; a month of fasting.
        ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", "2026-01-01 11:00:00 UTC+11:00"),
        ("Australia/Lord_Howe", "2026-07-01T00:00:00Z", "2026-07-01 10:30:00 UTC+10:30"),
        ("Europe/Dublin", "2026-01-01T00:00:00Z", "2026-01-01 00:00:00 GMT"),
        ("Europe/Dublin", "2060-07-01T00:00:00Z", "2060-07-01 01:00:00 IST"),
        ("Etc/UTC", "2026-02-04T20:15:00Z", "2026-02-04 20:15:00 UTC"),
    ])
    func `what the clocks show`(zone: String, moment text: String, shown: String) throws {
        #expect(try Self.rules(zone).exactText(moment(text)) == shown)
    }

    @Test func `people are told minutes, seconds, times and days`() throws {
        let zone = try Self.rules("Europe/Berlin")
        let late = try moment("2026-02-04T23:15:47.287Z")
        #expect(zone.minute(of: late) == "2026-02-05 00:15")
        #expect(zone.minuteText(late) == "2026-02-05 00:15 CET")
        #expect(zone.secondText(late) == "2026-02-05 00:15:47 CET")
        #expect(zone.time(of: late) == "00:15:47")
        #expect(zone.date(of: late) == "2026-02-05")
        #expect(ZoneRules.utc.minuteText(late) == "2026-02-04 23:15 UTC")
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-02-04T20:15:00Z", "2026-02-04T19:15:00.000Z", "2026-02-04T19:15:00.000Z"),
        // Left out: the moment of the change.
        ("Europe/Berlin", "2026-03-29T02:30:00Z", "2026-03-29T01:00:00.000Z", "2026-03-29T00:59:59.999Z"),
        ("Europe/Berlin", "2026-03-29T03:00:00Z", "2026-03-29T01:00:00.000Z", "2026-03-29T01:00:00.000Z"),
        // Repeated.
        ("Europe/Berlin", "2026-10-25T02:30:00Z", "2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"),
        ("Europe/Berlin", "2026-10-25T03:00:00Z", "2026-10-25T02:00:00.000Z", "2026-10-25T02:00:00.000Z"),
        ("Europe/Berlin", "2061-10-30T02:30:00Z", "2061-10-30T00:30:00.000Z", "2061-10-30T01:30:00.000Z"),
        (
            "Australia/Lord_Howe", "2026-04-05T01:45:00Z", "2026-04-04T14:45:00.000Z",
            "2026-04-04T15:15:00.000Z"
        ),
        // A day begins an hour late, and one is left out.
        ("America/Sao_Paulo", "2017-10-15T00:00:00Z", "2017-10-15T03:00:00.000Z", "2017-10-15T02:59:59.999Z"),
        ("Pacific/Apia", "2011-12-30T12:00:00Z", "2011-12-30T10:00:00.000Z", "2011-12-30T09:59:59.999Z"),
        ("Asia/Kathmandu", "2026-02-05T02:00:00Z", "2026-02-04T20:15:00.000Z", "2026-02-04T20:15:00.000Z"),
    ])
    func `which moments a time on the clocks means`(zone: String, clock: String, first: String, last: String)
        throws
    {
        let meaning = try Self.rules(zone).moments(showing: moment(clock))
        #expect(meaning.first.description == first)
        #expect(meaning.last.description == last)
        #expect(meaning.isSkipped == (first > last))
        #expect(meaning.isRepeated == (first < last))
    }

    // MARK: - Against another reader of the same files

    /// What Python's `zoneinfo` says of moments, a line for each: offset and abbreviation.
    private static let python = """
        import sys
        from datetime import datetime, timedelta, timezone
        from zoneinfo import ZoneInfo
        epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
        for line in open(sys.argv[1]):
            name, second = line.split()
            local = (epoch + timedelta(seconds=int(second))).astimezone(ZoneInfo(name))
            print(int(local.utcoffset().total_seconds()), local.tzname())
        """

    private static func allZones() throws -> [String] {
        let root = URL(filePath: directory)
        let table = try String(contentsOf: root.appending(path: "tzdata.zi"), encoding: .utf8)
        return table.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.first == "Z" ? String(words[1]) : words.first == "L" ? String(words[2]) : nil
        }
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `in all zones, around all kinds of changes, Python's reader agrees`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var asked: [(zone: String, second: Int64, offset: ZoneOffset)] = []
        for name in try Self.allZones() {
            let rules = try Self.rules(name)
            // Years 1700 to 2600.
            for _ in 0..<6 {
                let second = Int64.random(in: -8_520_336_000...19_880_899_200, using: &random)
                let period = rules.period(at: second)
                let near = [period.start - 1, period.start, second, period.end - 1, period.end]
                for second in near where (-9_000_000_000...30_000_000_000).contains(second) {
                    asked.append((name, second, rules.period(at: second).offset))
                }
            }
        }
        #expect(asked.count > 5000)
        let scratch = FileManager.default.temporaryDirectory.appending(
            path: "trace-zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let questions = scratch.appending(path: "questions")
        try Data(asked.map { "\($0.zone) \($0.second)\n" }.joined().utf8).write(to: questions)
        let answers = try PythonSchemaValidator.run(["-c", Self.python, questions.path], in: scratch)
            .split(separator: "\n")
        try #require(answers.count == asked.count)
        let wrong = zip(asked, answers).filter { "\($0.offset.seconds) \($0.offset.abbreviation)" != $1 }
        #expect(wrong.isEmpty, "\(wrong.prefix(5))")
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `a moment is among those that its own time on the clocks means`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for name in try Self.allZones() {
            let rules = try Self.rules(name)
            for _ in 0..<8 {
                let second = Int64.random(in: -8_520_336_000...19_880_899_200, using: &random)
                let period = rules.period(at: second)
                for second in [second, period.start - 1, period.start, period.end - 1, period.end]
                where second.magnitude < 1 << 40 {
                    let moment = Timestamp(milliseconds: second * 1000 + 250)
                    let shown = rules.shown(at: moment)
                    let meaning = rules.moments(showing: shown)
                    #expect(meaning.first <= moment && moment <= meaning.last, "\(name) \(moment)")
                    #expect(rules.shown(at: meaning.first) == shown, "\(name) \(moment)")
                    #expect(rules.shown(at: meaning.last) == shown, "\(name) \(moment)")
                }
            }
        }
    }

    // MARK: - Rules

    @Test(arguments: [
        ("UTC0", "2026-02-04T20:15:00Z", "2026-02-04 20:15:00 UTC"),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", "2026-03-29 03:00:00 CEST"),
        ("EST5EDT", "2026-03-08T07:00:00Z", "2026-03-08 03:00:00 EDT"),
        ("<+0545>-5:45", "2026-02-04T20:15:00Z", "2026-02-05 02:00:00 UTC+05:45"),
        ("<-03>3", "2026-02-04T20:15:00Z", "2026-02-04 17:15:00 UTC-03:00"),
        // The southern half; days by their number; summer time all year round, as RFC 8536 writes it.
        ("AAA-10BBB,M10.1.0,M4.1.0/3", "2026-01-01T00:00:00Z", "2026-01-01 11:00:00 BBB"),
        ("AAA0BBB,J60/0,J300/0", "2028-03-01T00:00:00Z", "2028-03-01 01:00:00 BBB"),
        ("AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", "2028-02-29 01:00:00 BBB"),
        ("XXX3EDT4,0/0,J365/23", "2026-07-01T00:00:00Z", "2026-06-30 20:00:00 EDT"),
        ("XXX3EDT4,0/0,J365/23", "2026-01-01T03:00:00Z", "2025-12-31 23:00:00 EDT"),
        // Hours beyond the day.
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", "2026-03-29 00:00:00 UTC-01:00"),
        ("AAA0BBB,M2.5.0/167,M10.5.0/-167", "2026-03-01T00:00:00Z", "2026-03-01 01:00:00 BBB"),
    ])
    func `a rule is a zone too`(rule: String, moment text: String, shown: String) throws {
        let zone = try #require(ZoneRules(rule: rule))
        #expect(try zone.exactText(moment(text)) == shown)
        #expect(zone.name == rule)
    }

    @Test(arguments: [
        "", "C", "CE-1", "CET", "CET-", "CET-25", "CET-1:60", "CET-1CEST,", "CET-1CEST,M3.5.0",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,J0,J1", "CET-1CEST,366,1", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0 ",
        "<CET-1", "<>-1", "<-->-1", "<A->-1", "CET-1CEST,M3.5.0,M10.5.0,M1.1.1", "Europe/Berlin",
        "CET-99999999999999999999", "CÉT-1",
    ])
    func `what is no rule is none`(rule: String) { #expect(ZoneRules(rule: rule) == nil) }

    // MARK: - Damage

    /// A file of the second version: local mean time, then winter and summer by turns, then a rule.
    private static let sample: [UInt8] = {
        func integer(_ value: Int64, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func header(_ counts: [Int64]) -> [UInt8] {
            var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count in counts { bytes += integer(count, 4) }
            return bytes
        }
        var file = header([0, 0, 0, 0, 1, 4])
        file += integer(0, 4) + [0, 0]
        file += Array("LMT\0".utf8)
        file += header([0, 0, 0, 3, 3, 13])
        for second: Int64 in [-2_422_054_408, 1_743_296_400, 1_761_440_400] { file += integer(second, 8) }
        file += [1, 2, 1]
        for (seconds, name): (Int64, UInt8) in [(3208, 0), (3600, 4), (7200, 8)] {
            file += integer(seconds, 4) + [0, name]
        }
        file += Array("LMT\0CET\0CEST\0".utf8)
        file += Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
        return file
    }()

    @Test func `the sample is a zone`() throws {
        let zone = try ZoneRules(name: "", file: Self.sample)
        #expect(zone.name == "CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(try zone.exactText(moment("2025-07-01T00:00:00Z")) == "2025-07-01 02:00:00 CEST")
        #expect(try zone.exactText(moment("2035-07-01T00:00:00Z")) == "2035-07-01 02:00:00 CEST")
        #expect(try zone.exactText(moment("1875-07-01T00:00:00Z")) == "1875-07-01 00:53:28 LMT")
    }

    @Test func `a file that is cut anywhere is refused`() {
        for end in 0..<Self.sample.count {
            let error = #expect(throws: FormatError.self) {
                try ZoneRules(name: "X", file: Array(Self.sample[..<end]))
            }
            #expect(error?.code == .zoneMalformed)
            #expect(error?.message.contains("(byte ") == true)
        }
    }

    @Test(arguments: [UInt64.random(in: 0 ... .max)])
    func `whatever bytes a file has, it is refused or answers`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let moments = [Int64.min, -1, 0, 1_770_235_200_000, .max].map(Timestamp.init(milliseconds:))
        for round in 0..<4000 {
            var file = Self.sample
            for _ in 0...(round % 4) {
                file[Int.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let zone = try? ZoneRules(name: "X", file: file) else { continue }
            for moment in moments {
                #expect(zone.offset(at: moment).seconds.magnitude < 26 * 3600)
                #expect(!zone.exactText(moment).isEmpty)
                _ = zone.moments(showing: moment)
            }
        }
    }

    @Test func `leap seconds, which no time of a session counts, are refused`() throws {
        let error = #expect(throws: FormatError.self) { try Self.rules("right/Europe/Berlin") }
        #expect(
            error?.message.hasSuffix("it counts leap seconds, unlike the times of a session") == true)
    }
}
