/// What is in a column of a ``TerminalTable``: text of anybody, in one line, in one style or several.
package struct TerminalCell: Sendable {
    private let spans: [TerminalSpan]
    private let cut: Cut

    /// Where a text that is too long is cut.
    package enum Cut: Sendable {
        /// At its end.
        case end
        /// At its end after a word, if one ends in the second half.
        case afterWord
        /// Where the first text of a style stays in sight.
        case aroundStyle
    }

    package init(_ text: String = "", _ style: TerminalStyle = .plain, cut: Cut = .end) {
        self.init([TerminalSpan(text, style)], cut: cut)
    }

    package init(_ spans: [TerminalSpan], cut: Cut = .end) {
        self.spans = spans
        self.cut = cut
    }

    /// Texts with commas between them.
    package static func list(_ spans: [TerminalSpan]) -> TerminalCell {
        TerminalCell(Array(spans.map { [$0] }.joined(separator: [TerminalSpan(", ", .plain)])))
    }

    /// How many columns it takes, of which no more than so many are counted.
    func width(atMost limit: Int) -> Int { min(limit, fitted(to: limit).width) }

    /// The text as it is shown in so many columns; `.max` where it is never cut.
    ///
    /// - Complexity: O(`limit`), however long the text is.
    func fitted(to limit: Int) -> (spans: [TerminalSpan], width: Int) {
        let limit = max(1, limit)
        if spans.count == 1, let plain = plain(spans[0].text, limit) {
            return plain.width == 0 ? ([], 0) : ([TerminalSpan(plain.text, spans[0].style)], plain.width)
        }
        var characters: [(character: Character, style: TerminalStyle)] = []
        var width = 0
        // What precedes the first style may be more than what is shown.
        let most = cut == .aroundStyle ? 4096 : limit
        for span in spans where width <= most {
            for character in Self.visible(span.text, atMost: most == .max ? .max : most - width + 1) {
                characters.append((character, span.style))
                width += character.terminalWidth
            }
        }
        if width > limit { shorten(&characters, &width, to: limit) }
        return (Self.spans(characters), width)
    }

    /// The text where it is one that needs no look at its characters.
    private func plain(_ text: String, _ limit: Int) -> (text: String, width: Int)? {
        let start = text.utf8.prefix(limit == .max ? .max : limit + 1)
        guard start.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        if start.count <= limit { return (text, start.count) }
        return cut == .end ? ("\(text.prefix(limit - 1))…", limit) : nil
    }

    /// At most so many characters of a text, each of which has a place in a line; a space at either end stays.
    private static func visible(_ text: String, atMost limit: Int) -> String {
        let words = SingleLine(text, limit: limit).text
        guard !words.isEmpty else { return text.isEmpty ? "" : " " }
        return (text.first?.isWhitespace == true ? " " : "") + words
            + (text.last?.isWhitespace == true ? " " : "")
    }

    private func shorten(
        _ characters: inout [(character: Character, style: TerminalStyle)], _ width: inout Int, to limit: Int
    ) {
        func remove(_ index: Int) { width -= characters.remove(at: index).character.terminalWidth }
        let mark = (character: Character("…"), style: TerminalStyle.plain)
        if cut == .aroundStyle, let first = characters.firstIndex(where: { $0.style != .plain }) {
            let lead = characters[..<first].reduce(0) { $0 + $1.character.terminalWidth }
            let end = characters[first...].prefix { $0.style != .plain }.reduce(lead) {
                $0 + $1.character.terminalWidth
            }
            if end >= limit {
                var dropped = 0
                var count = 0
                while count < first, lead - dropped > limit / 3 {
                    dropped += characters[count].character.terminalWidth
                    count += 1
                }
                characters.removeFirst(count)
                characters.insert(mark, at: 0)
                width -= dropped - 1
            }
        }
        guard width > limit else { return }
        while width > limit - 1, !characters.isEmpty { remove(characters.count - 1) }
        if cut == .afterWord, let space = characters.lastIndex(where: { $0.character == " " }),
            space >= characters.count / 2
        {
            while characters.count > space { remove(characters.count - 1) }
        }
        while characters.last?.character == " " { remove(characters.count - 1) }
        characters.append(mark)
        width += 1
    }

    private static func spans(
        _ characters: [(character: Character, style: TerminalStyle)]
    ) -> [TerminalSpan] {
        var spans: [TerminalSpan] = []
        for (character, style) in characters {
            if spans.last?.style == style {
                spans[spans.count - 1].text.append(character)
            } else {
                spans.append(TerminalSpan(String(character), style))
            }
        }
        return spans
    }
}
