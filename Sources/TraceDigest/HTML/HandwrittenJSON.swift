package import RecordFormat
package import TraceFormat

extension HandwrittenDigest {
    /// The words as a tree for programs that make a page of their own: structure and text, of which nothing is markup.
    ///
    /// It says what the page of `--html` says: HTML in the text is text, links lead to the web alone, and times are those that the review
    /// audio has. Nodes are at most ``MarkdownTree/depthLimit`` deep. A text that takes too long to read is one block of code.
    ///
    /// - Parameter session: The one that they are about.
    package func json(for session: Session) -> JSONText {
        let blocks: [MarkdownBlock]
        switch pageWords {
        case .tree(let tree): blocks = tree.blocks
        case .plain(let text): blocks = [.code(text)]
        }
        let writer = MarkdownJSON(audio: Self.audio(of: session))
        return .object { $0.member("blocks", writer.json(blocks)) }
    }

    /// Which times the review audio has, wherever it is.
    private static func audio(of session: Session) -> PageAudio? {
        guard let path = session.reviewAudio?.path else { return nil }
        return PageAudio(of: session, in: PageMedia(base: "", present: [path]))
    }
}

/// Writes a tree of Markdown in JSON.
private struct MarkdownJSON {
    /// The review audio, into which times lead.
    let audio: PageAudio?

    func json(_ blocks: [MarkdownBlock]) -> JSONText { .array(blocks.compactMap { json($0) }) }

    /// Nil for a comment.
    private func json(_ block: MarkdownBlock) -> JSONText? {
        switch block {
        case .heading(let level, let words):
            Self.node("heading") { object in
                object.member("level", JSONText(Int64(level)))
                object.member("inlines", inlines(words))
            }
        case .paragraph(let words): Self.node("paragraph") { $0.member("inlines", inlines(words)) }
        case .quote(let blocks): Self.node("quote") { $0.member("blocks", json(blocks)) }
        case .list(let list):
            Self.node("list") { object in
                object.member("ordered", JSONText(list.start != nil))
                object.member("start", list.start.map { JSONText(Int64($0)) })
                object.member("items", .array(list.items.map { json($0.written) }))
            }
        case .table(let table):
            Self.node("table") { object in
                func row(_ cells: [MarkdownTable.Cell]) -> JSONText {
                    .array(zip(table.sides, cells).map { inlines($1) })
                }
                object.member("header", row(table.header))
                object.member("rows", .array(table.rows.map(row)))
            }
        case .code(let text): Self.node("code") { $0.member("text", text) }
        case .rule: Self.node("rule") { _ in }
        case .html(let text):
            text.isMarkdownComment ? nil : Self.node("code") { $0.member("text", text) }
        }
    }

    private static func node(_ type: String, _ addMembers: (inout JSONObjectText) -> Void) -> JSONText {
        .object { object in
            object.member("type", type)
            addMembers(&object)
        }
    }

    // MARK: - Inlines

    private func inlines(_ words: [MarkdownInline]) -> JSONText { .array(nodes(words, inLink: false)) }

    /// - Parameter isLink: Whether they are in a link, which can't hold another one.
    private func nodes(_ words: [MarkdownInline], inLink isLink: Bool) -> [JSONText] {
        var nodes: [JSONText] = []
        // What stands next to each other as text is one text.
        var text = ""
        func flush() {
            if !text.isEmpty { nodes.append(Self.node("text") { $0.member("text", text) }) }
            text = ""
        }
        func add(_ node: JSONText) {
            flush()
            nodes.append(node)
        }
        func container(_ type: String, _ words: [MarkdownInline]) {
            add(Self.node(type) { $0.member("inlines", .array(self.nodes(words, inLink: isLink))) })
        }
        for word in words {
            switch word {
            case .text(let written) where isLink: text += written
            case .text(let written):
                var end = written.startIndex
                for time in TimesInText.times(in: written) where audio?.url(at: time.offset) != nil {
                    text += written[end..<time.range.lowerBound]
                    add(
                        Self.node("time") { object in
                            object.member("offset_ms", JSONText(time.offset))
                            object.member("text", String(written[time.range]))
                        })
                    end = time.range.upperBound
                }
                text += written[end...]
            case .code(let code): add(Self.node("code") { $0.member("text", code) })
            case .emphasis(let words): container("emphasis", words)
            case .strong(let words): container("strong", words)
            case .strikethrough(let words): container("strike", words)
            case .link(let target, let words), .image(let target, let words):
                let shown = self.nodes(words, inLink: true)
                guard !isLink, MarkdownHTML.isWebAddress(target) else {
                    flush()
                    nodes += shown
                    continue
                }
                add(
                    Self.node("link") { object in
                        object.member("href", target)
                        object.member("inlines", .array(shown))
                    })
            case .softBreak: text += "\n"
            case .lineBreak: add(Self.node("break") { _ in })
            case .html(let written): if !written.isMarkdownComment { text += written }
            }
        }
        flush()
        return nodes
    }
}

extension MarkdownList.Item {
    /// What is in it as it was written: a task begins with its box.
    fileprivate var written: [MarkdownBlock] {
        guard let isDone, case .paragraph(let words)? = blocks.first else { return blocks }
        return [.paragraph([.text(isDone ? "[x] " : "[ ] ")] + words)] + blocks.dropFirst()
    }
}
