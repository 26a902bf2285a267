import TestSupport
import Testing
import TraceFuzzing

/// What `make fuzz` checks, on the inputs that are kept of it.
struct CorpusTests {
    private static let corpus =
        "\(#filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined())/Fuzzing/Corpus"

    @Test(arguments: FuzzTarget.allCases) func `of every input that is kept, everything holds`(
        target: FuzzTarget
    ) throws {
        let inputs = try FileTree("\(Self.corpus)/\(target.rawValue)").files
        try #require(!inputs.isEmpty)
        for (name, bytes) in inputs.sorted(by: { $0.key < $1.key }) {
            do {
                try target.check(bytes)
            } catch {
                Issue.record("\(target.rawValue)/\(name): \(error)")
            }
        }
    }

    /// Tables of a league have no syntax that most inputs break, so that changed ones go far.
    @Test(arguments: 0..<4) func `of changed league tables, everything holds`(seed: UInt64) throws {
        let inputs = try FileTree("\(Self.corpus)/league").files.sorted { $0.key < $1.key }.map(\.value)
        var dice = SeededRandom(seed: seed)
        let pieces = [
            ",", "\"", "\n", "\r", "\r\n", "\"\"", "\u{0}", "é", "4", "Comet Racer", "Bo", "—", "-1e9",
        ]
        for _ in 0..<60 {
            var input = dice.element(of: inputs)
            for _ in 0..<Int.random(in: 1..<6, using: &dice) {
                let place = Int.random(in: 0...input.count, using: &dice)
                let end = min(input.count, place + Int.random(in: 0..<9, using: &dice))
                input.replaceSubrange(place..<end, with: dice.element(of: pieces).utf8)
            }
            do { try FuzzTarget.league.check(input) } catch {
                Issue.record("\(error): \(String(decoding: input, as: UTF8.self).debugDescription)")
            }
        }
    }

    private static let fixtures = "\(corpus)/../../Fixtures/exchange"

    /// Files of other programs, those of the fixtures too, in each format; at full size each for a minute.
    @Test(arguments: 0..<UInt8(11)) func `of changed files of other programs, everything holds`(format: UInt8)
        throws
    {
        let kept = try FileTree("\(Self.corpus)/exchange").files.sorted { $0.key < $1.key }.map(\.value)
        let files = try FileTree(Self.fixtures).files.sorted { $0.key < $1.key }.map { [0] + $0.value }
        var dice = SeededRandom(seed: Torture.seed + UInt64(format))
        let pieces = [
            ",", "\"", "\n", "\r", "\r\n", "\"\"", "\u{0}", "é", "4", "-1e9", "99999999999999999999", "0:00",
            "1:05 - 2:10",
            "-->", "|M:", "|D:", "|C:", "01:00:00;00", "\t", "\\", "=", "[CHAPTER]", "{", "}", "[", "]",
            "null", "NaN",
            "\u{FEFF}", "\u{202E}", "&#x110000;", "&eacute;", "<v ", ">", "NOTE", "offset_ms",
            "#,Name,Start,End,Length",
        ]
        let end = ContinuousClock.now + .seconds(60)
        var round = 0
        while Torture.isFull ? ContinuousClock.now < end : round < 40 {
            round += 1
            var input = dice.element(of: Bool.random(using: &dice) ? files : kept)
            if !input.isEmpty { input[0] = format }
            for _ in 0..<Int.random(in: 1..<8, using: &dice) {
                let place = Int.random(in: min(1, input.count)...input.count, using: &dice)
                let last = min(input.count, place + Int.random(in: 0..<12, using: &dice))
                input.replaceSubrange(place..<last, with: dice.element(of: pieces).utf8)
            }
            do { try FuzzTarget.exchange.check(input) } catch {
                Issue.record("\(error): \(String(decoding: input, as: UTF8.self).debugDescription)")
                return
            }
        }
    }

    @Test func `an input that is nothing is an input`() throws {
        for target in FuzzTarget.allCases { try target.check([]) }
    }
}
