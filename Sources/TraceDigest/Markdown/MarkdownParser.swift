internal import CMark
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Reads Markdown (CommonMark, tables, strikethrough and task lists) by libcmark-gfm.
///
/// The library itself only parses here; what it would make of the text as HTML is not asked for. Raw HTML comes as text, and links
/// as what was written.
enum MarkdownParser {
    /// The tree of a text; nil if that takes too long, as texts can be made up for which any parser needs minutes.
    ///
    /// The library can't be interrupted, so it runs beside the caller (``SideRun``).
    ///
    /// - Parameter limit: How long is waited.
    static func tree(of text: [UInt8], within limit: Duration = .seconds(2)) -> MarkdownTree? {
        runs.tree(within: limit) { parse(text) }
    }

    private static let runs = SideRun()

    /// Work that can't be interrupted, beside the caller, who continues without it if it takes too long.
    ///
    /// While one such run is left behind, no other begins: at most one core is ever lost to it.
    final class SideRun: Sendable {
        private let isLeftBehind = Mutex(false)

        /// What `parse` makes; nil where that takes longer than the limit, or another run is left behind.
        func tree(within limit: Duration, _ parse: @escaping @Sendable () -> MarkdownTree) -> MarkdownTree? {
            guard !isLeftBehind.withLock(\.self) else { return nil }
            let outcome = Outcome()
            let finished = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                let tree = parse()
                outcome.tree.withLock { $0 = tree }
                finished.signal()
                self.isLeftBehind.withLock { $0 = false }
            }
            let seconds = limit / .seconds(1)
            guard finished.wait(timeout: .now() + seconds) == .success else {
                isLeftBehind.withLock { $0 = outcome.tree.withLock { $0 == nil } }
                return nil
            }
            return outcome.tree.withLock(\.self)
        }

        private final class Outcome: Sendable {
            let tree = Mutex<MarkdownTree?>(nil)
        }
    }

    /// As ``tree(of:within:)``, however long it takes.
    static func parse(_ text: [UInt8]) -> MarkdownTree {
        guard let document = document(of: text) else { return MarkdownTree([]) }
        // Sound: the document is this function's alone, and freed once; the iterator, and all nodes that it hands out, belong to
        // it and die before it.
        defer { cmark_node_free(document) }
        cmark_consolidate_text_nodes(document)
        guard let iterator = cmark_iter_new(document) else { return MarkdownTree([]) }
        defer { cmark_iter_free(iterator) }
        var builder = MarkdownTreeBuilder()
        while true {
            let event = cmark_iter_next(iterator)
            guard event != CMARK_EVENT_DONE, let node = cmark_iter_get_node(iterator) else { break }
            if event == CMARK_EVENT_EXIT { builder.leave(node) } else { builder.enter(node) }
        }
        return MarkdownTree(builder.blocks)
    }

    /// Whether a text with a tilde is being parsed.
    private static let isTaken = Atomic(false)
    /// How often such a text asks for its turn, a millisecond apart: one that takes minutes holds up the others no longer than that.
    private static let attempts = 1000

    /// - Returns: The library's own tree, to be freed.
    private static func document(of text: [UInt8]) -> OpaquePointer? {
        guard text.contains(UInt8(ascii: "~")) else { return document(of: text, ["table"]) }
        // The library has one table of the characters that mean something, for all parsers: one that is through takes the tilde out of it, also for
        // those that are not. So such texts take turns.
        var isOurs = false
        for _ in 0..<attempts {
            isOurs = !isTaken.exchange(true, ordering: .acquiring)
            if isOurs { break }
            usleep(1000)
        }
        defer { if isOurs { isTaken.store(false, ordering: .releasing) } }
        return document(of: text, ["table", "strikethrough"])
    }

    private static func document(of text: [UInt8], _ extensions: [String]) -> OpaquePointer? {
        _ = areRegistered
        guard let parser = cmark_parser_new(CMARK_OPT_VALIDATE_UTF8) else { return nil }
        defer { cmark_parser_free(parser) }
        for name in extensions {
            cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension(name))
        }
        // Sound: the buffer is lent for the length of the call, and the parser copies what it keeps.
        text.withUnsafeBytes { bytes in
            let characters = bytes.assumingMemoryBound(to: CChar.self)
            if let start = characters.baseAddress { cmark_parser_feed(parser, start, characters.count) }
        }
        return cmark_parser_finish(parser)
    }

    /// Not used are `tasklist`, which takes `- [ ] as in [x]` for done, and `autolink`, which reads beyond the end of some texts
    /// (0.29.0.gfm.6).
    private static let areRegistered: Void = cmark_gfm_core_extensions_ensure_registered()
}

/// Makes our tree of the library's, without recursion: theirs may be as deep as the text is long.
private struct MarkdownTreeBuilder {
    /// The collected content of an open node.
    private struct Level {
        var blocks: [MarkdownBlock] = []
        var words: [MarkdownInline] = []
        var items: [MarkdownList.Item] = []
        var cells: [MarkdownTable.Cell] = []
        var rows: [[MarkdownTable.Cell]] = []
    }

    /// Of the nodes that are open, the document first.
    private var levels = [Level()]
    /// Of each open node whether it has a level; what is in one without goes to the level around it.
    private var hasLevel: [Bool] = []

    var blocks: [MarkdownBlock] { levels[0].blocks }

    mutating func enter(_ node: OpaquePointer) {
        let last = levels.count - 1
        let type = cmark_node_get_type(node)
        switch type {
        case CMARK_NODE_TEXT:
            let text = Self.text(cmark_node_get_literal(node))
            if !text.isEmpty { levels[last].words.append(.text(text)) }
        case CMARK_NODE_CODE: levels[last].words.append(.code(Self.text(cmark_node_get_literal(node))))
        case CMARK_NODE_HTML_INLINE: levels[last].words.append(.html(Self.text(cmark_node_get_literal(node))))
        case CMARK_NODE_SOFTBREAK: levels[last].words.append(.softBreak)
        case CMARK_NODE_LINEBREAK: levels[last].words.append(.lineBreak)
        case CMARK_NODE_CODE_BLOCK: levels[last].blocks.append(.code(Self.text(cmark_node_get_literal(node))))
        case CMARK_NODE_HTML_BLOCK: levels[last].blocks.append(.html(Self.text(cmark_node_get_literal(node))))
        case CMARK_NODE_THEMATIC_BREAK: levels[last].blocks.append(.rule)
        case CMARK_NODE_DOCUMENT: break
        default:
            // Words never stand without the paragraph, heading or cell that they are of; and tables hold nothing deeper.
            let holdsWords = type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING
            let isFlat = holdsWords || Self.name(node).hasPrefix("table")
            hasLevel.append(isFlat || levels.count < MarkdownTree.depthLimit)
            if hasLevel.last == true { levels.append(Level()) }
        }
    }

    mutating func leave(_ node: OpaquePointer) {
        guard hasLevel.popLast() == true, let level = levels.popLast() else { return }
        let last = levels.count - 1
        switch cmark_node_get_type(node) {
        case CMARK_NODE_PARAGRAPH: levels[last].blocks.append(.paragraph(level.words))
        case CMARK_NODE_HEADING:
            levels[last].blocks.append(
                .heading(level: Int(cmark_node_get_heading_level(node)), level.words))
        case CMARK_NODE_BLOCK_QUOTE: levels[last].blocks.append(.quote(level.blocks))
        case CMARK_NODE_ITEM: levels[last].items.append(MarkdownList.Item(level.blocks))
        case CMARK_NODE_LIST:
            let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
            // What lay in items without a level.
            let rest = level.blocks.isEmpty ? [] : [MarkdownList.Item(level.blocks)]
            levels[last].blocks.append(
                .list(
                    MarkdownList(
                        start: isOrdered ? Int(cmark_node_get_list_start(node)) : nil,
                        isTight: cmark_node_get_list_tight(node) != 0, items: level.items + rest)))
        case CMARK_NODE_EMPH: levels[last].words.append(.emphasis(level.words))
        case CMARK_NODE_STRONG: levels[last].words.append(.strong(level.words))
        case CMARK_NODE_LINK:
            levels[last].words.append(.link(target: Self.text(cmark_node_get_url(node)), level.words))
        case CMARK_NODE_IMAGE:
            levels[last].words.append(.image(target: Self.text(cmark_node_get_url(node)), level.words))
        default: leaveExtension(node, level, last)
        }
    }

    /// As ``leave(_:)``, for what CommonMark does not know: of these types only the names are known.
    private mutating func leaveExtension(_ node: OpaquePointer, _ level: Level, _ last: Int) {
        switch Self.name(node) {
        case "strikethrough": levels[last].words.append(.strikethrough(level.words))
        case "table_cell": levels[last].cells.append(level.words)
        case "table_header", "table_row": levels[last].rows.append(level.cells)
        case "table":
            // Sound: the library has a side for each column, as long as the node lives.
            let sides = UnsafeBufferPointer(
                start: cmark_gfm_extensions_get_table_alignments(node),
                count: Int(cmark_gfm_extensions_get_table_columns(node)))
            levels[last].blocks.append(
                .table(
                    MarkdownTable(
                        sides: sides.map(Self.side), header: level.rows.first ?? [],
                        rows: Array(level.rows.dropFirst()))))
        default: levels[last].blocks += level.blocks
        }
    }

    private static func side(_ letter: UInt8) -> MarkdownTable.Side? {
        switch letter {
        case UInt8(ascii: "l"): .left
        case UInt8(ascii: "c"): .middle
        case UInt8(ascii: "r"): .right
        default: nil
        }
    }

    private static func name(_ node: OpaquePointer) -> String { text(cmark_node_get_type_string(node)) }

    /// Sound: the library's texts end with NUL and live as long as their node; null where there is none.
    private static func text(_ characters: UnsafePointer<CChar>?) -> String {
        characters.map { String(cString: $0) } ?? ""
    }
}
