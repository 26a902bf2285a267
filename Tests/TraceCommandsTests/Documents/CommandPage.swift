import Foundation
import TestSupport
import Testing

/// A page of the documentation: its fenced blocks, and the remarks of which they are run (docs/contributing.md#commands-in-the-documentation).
struct CommandPage: Sendable, CustomTestStringConvertible {
    /// From the root of the repository.
    let name: String
    let lines: [String]
    let blocks: [Block]

    var testDescription: String { name }
    var url: URL { SourceFile.root.appending(path: name) }

    /// A fenced block.
    struct Block: Sendable {
        let language: String
        /// The lines between the fences, as indices of those of the page.
        let lines: Range<Int>
        /// How far it is indented.
        let indentation: Int
        /// The remarks since the block before it, in their order: `<!-- key: value -->`.
        let remarks: [Remark]

        /// What a remark of that key says.
        func value(_ key: String) -> String? { remarks.last { $0.key == key }?.value }
    }

    struct Remark: Sendable {
        let key: String
        let value: String
    }

    init(name: String) throws {
        let text = try String(contentsOf: SourceFile.root.appending(path: name), encoding: .utf8)
        self.init(name: name, text: text)
    }

    init(name: String, text: String) {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var blocks: [Block] = []
        var remarks: [Remark] = []
        var open: (fence: Substring, language: String, start: Int, indentation: Int)?
        for (index, line) in lines.enumerated() {
            let content = line.drop { $0 == " " }
            if let block = open {
                guard content == block.fence else { continue }
                blocks.append(
                    Block(
                        language: block.language, lines: block.start..<index, indentation: block.indentation,
                        remarks: remarks))
                (open, remarks) = (nil, [])
            } else if let found = content.wholeMatch(of: #/<!-- ([a-z ]+): (.*) -->/#) {
                remarks.append(Remark(key: String(found.1), value: String(found.2)))
            } else if content.hasPrefix("```") {
                let fence = content.prefix { $0 == "`" }
                let language = String(content.dropFirst(fence.count))
                open = (fence, language, index + 1, line.count - content.count)
            }
        }
        self.blocks = blocks
    }

    /// Those of README and of what is in `docs`.
    static let all: [CommandPage] = {
        let root = SourceFile.root.path
        let top = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        let docs = FileManager.default.enumerator(atPath: "\(root)/docs")?.compactMap { $0 as? String } ?? []
        let names = (top + docs.map { "docs/\($0)" }).filter { $0.hasSuffix(".md") }
        return names.sorted().compactMap { try? CommandPage(name: $0) }
    }()

    /// The text of a line of a block, without what the block is indented by.
    func text(_ index: Int, of block: Block) -> String {
        String(lines[index].drop { $0 == " " }.isEmpty ? "" : lines[index].dropFirst(block.indentation))
    }

    /// Whether it is a block of commands.
    func isOfCommands(_ block: Block) -> Bool {
        ["console", "sh", "bash", "shell"].contains(block.language)
            || block.lines.contains {
                text($0, of: block).firstMatch(of: #/^(?:\$ \S|trace |traced |sudo |make |curl )/#) != nil
            }
    }

    /// Whether another test runs it, or it has a reason not to be run.
    func isRunHere(_ block: Block) -> Bool {
        isOfCommands(block) && block.value("not run") == nil && block.value("example") == nil
    }

    /// What is typed, in order.
    var steps: [Step] {
        var steps: [Step] = []
        var terminal = Terminal.pipe
        for block in blocks {
            for remark in block.remarks {
                switch remark.key {
                case "prepare": steps.append(Step(.preparation, remark.value))
                case "zone": steps.append(Step(.preparation, "export TZ=\(remark.value)"))
                case "terminal": terminal = remark.value == "none" ? .pipe : .size(remark.value)
                case "varies": steps.append(Step(.variation, remark.value))
                default: break
                }
            }
            guard isRunHere(block) else { continue }
            if block.language == "console" {
                steps += commands(of: block, on: terminal)
            } else {
                let script = block.lines.map { text($0, of: block) }.joined(separator: "\n")
                steps.append(Step(.script(at: block.lines.lowerBound), script))
            }
        }
        return steps
    }

    private func commands(of block: Block, on terminal: Terminal) -> [Step] {
        var steps: [Step] = []
        var rest = Array(block.lines)[...]
        while let first = rest.popFirst() {
            var command = text(first, of: block).dropFirst(2)
            while command.hasSuffix("\\"), let next = rest.popFirst() {
                command += "\n" + text(next, of: block)
            }
            let output = rest.prefix { !text($0, of: block).hasPrefix("$ ") }
            rest = rest.dropFirst(output.count)
            let lines = output.startIndex < output.endIndex ? output[output.startIndex] : first + 1
            steps.append(
                Step(
                    .command(
                        Example(
                            line: first, output: lines..<lines + output.count,
                            indentation: block.indentation), terminal), String(command)))
        }
        return steps
    }

    /// Where commands print to.
    enum Terminal: Sendable, Equatable {
        case pipe
        /// A terminal: `100x30`.
        case size(String)
    }

    /// A command with what it prints.
    struct Example: Sendable {
        /// Its line, as an index.
        let line: Int
        /// The lines of what it prints.
        let output: Range<Int>
        let indentation: Int
    }

    /// Something that is done on the way through the page.
    struct Step: Sendable {
        enum Kind: Sendable {
            case preparation
            /// Words that stand for others from here on.
            case variation
            /// A block whose output the page does not show, from its first line on.
            case script(at: Int)
            case command(Example, Terminal)
        }

        let kind: Kind
        let text: String

        init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }
}
