import Foundation

/// An example of docs/http.md: a shell block behind `<!-- example: NAME -->`, with the statuses that it gets in comments of
/// their own (`# 200`, `# 200 200`), and the answer in the block that follows.
struct HTTPExample: Sendable, CustomStringConvertible {
    let name: String
    let script: String
    /// Of each `curl`, in their order.
    let statuses: [String]
    /// What is printed; `…` stands for what is left out.
    let answer: String

    var description: String { name }

    static let page = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../docs/http.md").standardized

    /// All of them, in their order.
    static let all: [HTTPExample] = {
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        let example =
            #/<!-- example: (?<name>[^\n]+) -->\n```sh\n(?<script>.*?)```\n```\w+\n(?<answer>.*?)```\n/#
        return text.matches(of: example.dotMatchesNewlines()).map { found in
            let script = String(found.script)
            let statuses = script.split(separator: "\n").filter { $0.wholeMatch(of: /#( \d{3})+/) != nil }
            return HTTPExample(
                name: String(found.name), script: script,
                statuses: statuses.flatMap { $0.dropFirst().split(separator: " ").map(String.init) },
                answer: String(found.answer))
        }
    }()

    /// Whether an output is the answer, but for white space and what is left out.
    func isAnswered(by output: String) -> Bool {
        var rest = Self.squeezed(output)[...]
        let pieces = Self.squeezed(answer).components(separatedBy: "…")
        guard let first = pieces.first, let last = pieces.last, rest.hasPrefix(first) else { return false }
        guard pieces.count > 1 else { return rest == first }
        rest = rest.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let found = rest.range(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    private static func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
