/// A text in Markdown as a tree, which a page renders and other programs can be handed.
///
/// It holds words and structure alone: what of it may become a link, and what a tag, is the renderer's decision.
package struct MarkdownTree: Sendable, Hashable {
    var blocks: [MarkdownBlock]

    init(_ blocks: [MarkdownBlock]) { self.blocks = blocks }

    /// How deep blocks, and within them inlines, are in each other at most: what a person wrote deeper than that is at this
    /// depth, so that the tree can be walked recursively.
    static let depthLimit = 50
}

/// A part of the text with lines of its own.
indirect enum MarkdownBlock: Sendable, Hashable {
    /// The level is 1 ... 6.
    case heading(level: Int, [MarkdownInline])
    case paragraph([MarkdownInline])
    case quote([MarkdownBlock])
    case list(MarkdownList)
    case table(MarkdownTable)
    case code(String)
    case rule
    /// HTML as it was written, which is nobody's structure here.
    case html(String)
}

/// A list and its items.
struct MarkdownList: Sendable, Hashable {
    /// The first number of an ordered list; nil for one with bullets.
    var start: Int?
    /// Whether no blank lines are between the items.
    var isTight: Bool
    var items: [Item]

    init(start: Int?, isTight: Bool, items: [Item]) {
        self.start = start
        self.isTight = isTight
        self.items = items
    }

    struct Item: Sendable, Hashable {
        var blocks: [MarkdownBlock]
        /// Whether the task is done; nil for an item that is not one.
        var isDone: Bool?

        /// - Parameter blocks: What is in the item; where it begins with `[ ]` or `[x]`, it is a task, and they are left out.
        init(_ blocks: [MarkdownBlock]) {
            self.blocks = blocks
            guard case .paragraph(var words)? = blocks.first, case .text(let text)? = words.first else {
                return
            }
            switch text.prefix(4) {
            case "[ ] ": isDone = false
            case "[x] ", "[X] ": isDone = true
            default: return
            }
            words[0] = .text(String(text.dropFirst(4)))
            self.blocks[0] = .paragraph(words)
        }
    }
}

/// A table; each row has a cell for each column.
struct MarkdownTable: Sendable, Hashable {
    typealias Cell = [MarkdownInline]

    /// On which side of its column a text stands.
    enum Side: Sendable {
        case left, middle, right
    }

    /// Of each column, where the text says so.
    var sides: [Side?]
    var header: [Cell]
    var rows: [[Cell]]

    init(sides: [Side?], header: [Cell], rows: [[Cell]]) {
        self.sides = sides
        self.header = header
        self.rows = rows
    }
}

/// A part of a line.
indirect enum MarkdownInline: Sendable, Hashable {
    case text(String)
    case code(String)
    case emphasis([MarkdownInline])
    case strong([MarkdownInline])
    case strikethrough([MarkdownInline])
    /// The target is what was written; nothing about it has been checked.
    case link(target: String, [MarkdownInline])
    case image(target: String, [MarkdownInline])
    case softBreak
    case lineBreak
    /// HTML as it was written.
    case html(String)
}

extension String {
    /// Whether HTML that was written is a comment and nothing else.
    var isMarkdownComment: Bool {
        let trimmed = drop(while: \.isWhitespace)
        guard trimmed.hasPrefix("<!--"), let end = trimmed.dropFirst(4).firstRange(of: "-->") else {
            return false
        }
        return trimmed[end.upperBound...].allSatisfy(\.isWhitespace)
    }
}
