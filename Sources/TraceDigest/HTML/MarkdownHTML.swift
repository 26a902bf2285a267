/// Writes a tree of Markdown in HTML.
///
/// Every text goes through ``HTML``, which escapes it, so nothing that was written becomes a tag: HTML in the text is shown as
/// it was typed, but comments, which are not. Links lead to the web, to mail addresses and into the session, and nowhere else.
struct MarkdownHTML {
    /// The review audio, into which times lead.
    let audio: PageAudio?
    /// The session's directory as seen from the page; nil if it is not below it.
    let base: String?

    func html(_ tree: MarkdownTree) -> HTML { html(tree.blocks) }

    // MARK: - Blocks

    private func html(_ blocks: [MarkdownBlock]) -> HTML { HTML(blocks.map { html($0) }) }

    private func html(_ block: MarkdownBlock, isTight: Bool = false) -> HTML {
        switch block {
        case .heading(let level, let words):
            // The page has a title, and the text a heading of ours.
            switch level {
            case 1: return "<h3 dir=\"auto\">\(html(words))</h3>\n"
            case 2: return "<h4 dir=\"auto\">\(html(words))</h4>\n"
            case 3: return "<h5 dir=\"auto\">\(html(words))</h5>\n"
            default: return "<h6 dir=\"auto\">\(html(words))</h6>\n"
            }
        case .paragraph(let words):
            return isTight ? "\(html(words))\n" : "<p dir=\"auto\">\(html(words))</p>\n"
        case .quote(let blocks): return "<blockquote>\n\(html(blocks))</blockquote>\n"
        case .list(let list): return html(list)
        case .table(let table): return html(table)
        case .code(let text): return "<pre><code>\(text)</code></pre>\n"
        case .rule: return "<hr>\n"
        case .html(let text):
            return text.isMarkdownComment ? "" : "<pre><code>\(text)</code></pre>\n"
        }
    }

    private func html(_ list: MarkdownList) -> HTML {
        let items = list.items.map { item -> HTML in
            let words = HTML(item.blocks.map { html($0, isTight: list.isTight) })
            switch item.isDone {
            case true?:
                return
                    "<li class=\"task\" dir=\"auto\"><input type=\"checkbox\" disabled checked> \(words)</li>\n"
            case false?:
                return "<li class=\"task\" dir=\"auto\"><input type=\"checkbox\" disabled> \(words)</li>\n"
            case nil: return "<li dir=\"auto\">\(words)</li>\n"
            }
        }
        guard let start = list.start else { return "<ul>\n\(HTML(items))</ul>\n" }
        return "<ol start=\"\(start)\">\n\(HTML(items))</ol>\n"
    }

    private func html(_ table: MarkdownTable) -> HTML {
        func row(_ cells: [MarkdownTable.Cell], _ html: (HTML, MarkdownTable.Cell) -> HTML) -> HTML {
            "<tr>\(HTML(zip(table.sides, cells).map { html(place($0), $1) }))</tr>\n"
        }
        let header = row(table.header) { place, words in "<th\(place) dir=\"auto\">\(html(words))</th>" }
        let rows = table.rows.map {
            row($0) { place, words in "<td\(place) dir=\"auto\">\(html(words))</td>" }
        }
        return "<table>\n<thead>\n\(header)</thead>\n<tbody>\n\(HTML(rows))</tbody>\n</table>\n"
    }

    private func place(_ side: MarkdownTable.Side?) -> HTML {
        switch side {
        case .left?: " class=\"left\""
        case .middle?: " class=\"middle\""
        case .right?: " class=\"right\""
        case nil: ""
        }
    }

    // MARK: - Inlines

    /// - Parameter isLink: Whether this is in a link, which can't hold another one.
    private func html(_ words: [MarkdownInline], inLink isLink: Bool = false) -> HTML {
        HTML(words.map { html($0, isLink) })
    }

    private func html(_ inline: MarkdownInline, _ isLink: Bool) -> HTML {
        switch inline {
        case .text(let text): return isLink ? "\(text)" : timed(text)
        case .code(let text): return "<code>\(text)</code>"
        case .emphasis(let words): return "<em>\(html(words, inLink: isLink))</em>"
        case .strong(let words): return "<strong>\(html(words, inLink: isLink))</strong>"
        case .strikethrough(let words): return "<del>\(html(words, inLink: isLink))</del>"
        case .link(let target, let words), .image(let target, let words):
            let shown = html(words, inLink: true)
            guard !isLink, let url = url(of: target) else { return shown }
            return "<a href=\"\(url)\" rel=\"noopener noreferrer\">\(shown)</a>"
        case .softBreak: return "\n"
        case .lineBreak: return "<br>\n"
        case .html(let text): return text.isMarkdownComment ? "" : "\(text)"
        }
    }

    /// The text, with its times as links into the audio where that has them.
    private func timed(_ text: String) -> HTML {
        guard let audio else { return "\(text)" }
        var html: HTML = ""
        var end = text.startIndex
        for time in TimesInText.times(in: text) {
            guard let url = audio.url(at: time.offset) else { continue }
            html += "\(String(text[end..<time.range.lowerBound]))"
            html += "<a class=\"t\" href=\"\(url)\">\(String(text[time.range]))</a>"
            end = time.range.upperBound
        }
        html += "\(String(text[end...]))"
        return html
    }

    // MARK: - Links

    /// What a link may lead to; nil for everything else, of which only the words are shown.
    private func url(of target: String) -> String? {
        guard Self.isUnambiguous(target) else { return nil }
        if Self.isWebAddress(target) || target.prefix(7).lowercased() == "mailto:" { return target }
        if target.first == "#" { return target }
        // A colon before the first slash would be the end of a scheme.
        let first = target.prefix { !"/?#".contains($0) }
        guard let base, !first.contains(":"), target.first != "/" else { return nil }
        return base + target
    }

    /// Whether a link leads to the web, whatever page it is on.
    static func isWebAddress(_ target: String) -> Bool {
        let lowered = target.prefix(8).lowercased()
        return isUnambiguous(target) && ["http://", "https://"].contains(where: lowered.hasPrefix)
    }

    /// Whether a browser reads it as it stands: it leaves out line breaks and tabs, and reads a backslash as a slash.
    private static func isUnambiguous(_ target: String) -> Bool {
        !target.isEmpty && !target.unicodeScalars.contains { $0.value <= 0x20 || $0 == "\\" }
    }
}
