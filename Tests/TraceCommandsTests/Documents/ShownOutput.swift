import Foundation

/// Compares what a page shows with what a command printed: what differs by nature stands for what is printed in its place.
///
/// - `…` is anything within a line, and alone in a line any number of lines.
/// - An id stands for one that has been made now: the same one wherever the page has it, its end or beginning too.
/// - A date, with or without a time, stands for one of now.
/// - A word of `varies` stands for another of its shape: runs of letters and digits in which there is a digit, for other such runs.
struct ShownOutput {
    private var variables: [String] = []
    /// The ids of the page that stand for others, and those.
    private(set) var ids: [String: String] = [:]
    private let now = Date()

    /// From here on these words of the page stand for others.
    mutating func vary(_ words: String) {
        variables += words.split(separator: " ").map(String.init)
    }

    /// A line of both, or of one of them.
    enum Line: Equatable {
        /// As the page has it.
        case same(String)
        case missing(String)
        case new(String)
    }

    /// Compares line by line, so that as few as possible differ.
    mutating func compare(_ shown: [String], with printed: [String]) -> [Line] {
        let patterns = shown.map { Pattern($0, variables: variables, ids: ids, now: now) }
        // The lines that differ at least, of what is from a line of each on.
        var costs = Array(
            repeating: Array(repeating: 0, count: printed.count + 1), count: shown.count + 1)
        var matches = Array(
            repeating: Array(repeating: [(String, String)]?.none, count: printed.count), count: shown.count)
        for i in (0...shown.count).reversed() {
            for j in (0...printed.count).reversed() where i < shown.count || j < printed.count {
                let isAny = i < shown.count && shown[i] == "…"
                var cost = Int.max
                if i < shown.count { cost = costs[i + 1][j] + (isAny ? 0 : 1) }
                if j < printed.count { cost = min(cost, costs[i][j + 1] + (isAny ? 0 : 1)) }
                if i < shown.count, j < printed.count, let found = patterns[i].match(printed[j]) {
                    matches[i][j] = found
                    cost = min(cost, costs[i + 1][j + 1])
                }
                costs[i][j] = cost
            }
        }
        return walk(shown, printed, costs, matches)
    }

    private mutating func walk(
        _ shown: [String], _ printed: [String], _ costs: [[Int]], _ matches: [[[(String, String)]?]]
    ) -> [Line] {
        var lines: [Line] = []
        var (i, j) = (0, 0)
        while i < shown.count || j < printed.count {
            let cost = costs[i][j]
            if i < shown.count, j < printed.count, let found = matches[i][j], cost == costs[i + 1][j + 1],
                found.allSatisfy({ ids[$0.0] == nil || ids[$0.0] == $0.1 })
            {
                for (shown, printed) in found { ids[shown] = printed }
                lines.append(.same(shown[i]))
                (i, j) = (i + 1, j + 1)
            } else if i < shown.count, shown[i] == "…" {
                if j < printed.count, cost == costs[i][j + 1] {
                    j += 1
                } else {
                    lines.append(.same(shown[i]))
                    i += 1
                }
            } else if i < shown.count,
                j == printed.count || cost == costs[i + 1][j] + 1 || matches[i][j] != nil
            {
                lines.append(.missing(shown[i]))
                i += 1
            } else {
                lines.append(.new(inPageWords(printed[j])))
                j += 1
            }
        }
        return lines
    }

    /// A line that was printed, with the ids of the page.
    private func inPageWords(_ line: String) -> String {
        ids.reduce(line) { $0.replacingOccurrences(of: $1.value, with: $1.key) }
    }
}

/// A line of a page.
private struct Pattern {
    private let line: String
    private let expression: Regex<AnyRegexOutput>?
    /// What the groups of the expression must be.
    private var checks: [Check] = []
    private let now: Date

    private enum Check {
        /// As it is there, or an id of now in its place.
        case id(String)
        case moment(String)
    }

    /// A ULID, or a UUID, as the practice journal has them.
    private static let id = "[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}"
    private static let moment = #"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?)?"#

    init(_ line: String, variables: [String], ids: [String: String], now: Date) {
        self.line = line
        self.now = now
        let escaped = variables.sorted { $0.count > $1.count }.map(NSRegularExpression.escapedPattern)
        let tokens = (["…"] + escaped + [Self.id, Self.moment, "[0-9A-HJKMNP-TV-Z]{4,}"]).joined(
            separator: "|")
        guard let token = try? Regex(tokens) else {
            expression = nil
            return
        }
        var pattern = ""
        var rest = line[...]
        while let found = rest.firstMatch(of: token) {
            pattern += NSRegularExpression.escapedPattern(for: String(rest[..<found.range.lowerBound]))
            let word = String(rest[found.range])
            rest = rest[found.range.upperBound...]
            if word == "…" {
                pattern += ".*"
            } else if variables.contains(word) {
                pattern += Self.shape(of: word)
            } else if word.count == 26 && !word.contains("-") || word.count == 36 {
                pattern += "(\(Self.id))"
                checks.append(.id(ids[word] ?? word))
                if ids[word] == nil { unbound.append((word, checks.count)) }
            } else if word.contains("-") {
                pattern += "(\(Self.moment))"
                checks.append(.moment(word))
            } else {
                pattern += NSRegularExpression.escapedPattern(for: Self.part(word, of: ids))
            }
        }
        pattern += NSRegularExpression.escapedPattern(for: String(rest))
        expression = try? Regex(pattern)
    }

    /// Ids that stand for none yet, with the number of their group.
    private var unbound: [(id: String, group: Int)] = []

    /// What the end or the beginning of an id is, of the one that it stands for.
    private static func part(_ word: String, of ids: [String: String]) -> String {
        for (shown, printed) in ids {
            if shown.hasSuffix(word) { return String(printed.suffix(word.count)) }
            if shown.hasPrefix(word), word.count >= 8 { return String(printed.prefix(word.count)) }
        }
        return word
    }

    private static func shape(of word: String) -> String {
        var shape = ""
        var rest = word[...]
        while let first = rest.first {
            let run = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            if run.isEmpty {
                shape += NSRegularExpression.escapedPattern(for: String(first))
                rest = rest.dropFirst()
            } else {
                shape += run.contains(where: \.isNumber) ? #"\w+"# : String(run)
                rest = rest.dropFirst(run.count)
            }
        }
        return shape
    }

    /// - Returns: The ids that this line stands for; nil if it does not stand for the line.
    func match(_ printed: String) -> [(String, String)]? {
        guard let found = try? expression?.wholeMatch(in: printed) else { return nil }
        let groups = found.output.dropFirst().map { String($0.substring ?? "") }
        for (check, group) in zip(checks, groups) {
            switch check {
            case .id(let id): guard group == id || isUnbound(id) && isOfNow(id: group) else { return nil }
            case .moment(let moment):
                guard group == moment || group.count == moment.count && isOfNow(moment: group) else {
                    return nil
                }
            }
        }
        return unbound.map { ($0.id, groups[$0.group - 1]) }.filter { $0.0 != $0.1 }
    }

    private func isUnbound(_ id: String) -> Bool { unbound.contains { $0.id == id } }

    /// A UUID does not tell when it was made.
    private func isOfNow(id: String) -> Bool {
        guard id.count == 26 else { return true }
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let milliseconds = id.prefix(10).reduce(0.0) {
            $0 * 32 + Double(digits.firstIndex(of: $1) ?? 0)
        }
        return isOfNow(Date(timeIntervalSince1970: milliseconds / 1000))
    }

    private func isOfNow(moment: String) -> Bool {
        guard let day = try? Date("\(moment.prefix(10))T12:00:00Z", strategy: .iso8601) else { return false }
        return isOfNow(day)
    }

    /// Whether a moment is within two days: it may be in another zone.
    private func isOfNow(_ moment: Date) -> Bool { abs(moment.timeIntervalSince(now)) < 2 * 86_400 }
}
