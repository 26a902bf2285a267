/// Breaks styled text into lines at its spaces, and in the middle of words that are wider than a line.
package struct TerminalWrapping {
    private let width: Int

    package init(width: Int) { self.width = max(1, width) }

    /// The lines; the spans of each are as long as their style continues.
    package func lines(of spans: [TerminalSpan]) -> [[TerminalSpan]] {
        var lines: [[TerminalSpan]] = []
        var line = LineInProgress()
        for word in words(of: spans) {
            let gap = line.width == 0 ? 0 : 1
            if line.width + gap + word.width <= width {
                line.add(word, afterSpace: gap == 1)
                continue
            }
            if line.width > 0 { lines.append(line.spans) }
            line = LineInProgress()
            for piece in word.pieces(width: width) {
                if line.width > 0 { lines.append(line.spans) }
                line = LineInProgress()
                line.add(piece, afterSpace: false)
            }
        }
        if line.width > 0 { lines.append(line.spans) }
        return lines
    }

    private func words(of spans: [TerminalSpan]) -> [WrappedWord] {
        var words: [WrappedWord] = []
        var isOpen = false
        for span in spans {
            for character in span.text {
                if character == " " {
                    isOpen = false
                    continue
                }
                if !isOpen { words.append(WrappedWord()) }
                isOpen = true
                words[words.count - 1].append(character, span.style)
            }
        }
        return words
    }
}

/// What is between two spaces, perhaps in several styles.
private struct WrappedWord {
    private(set) var spans: [TerminalSpan] = []
    private(set) var width = 0

    mutating func append(_ character: Character, _ style: TerminalStyle) {
        if spans.last?.style == style {
            spans[spans.count - 1].text.append(character)
        } else {
            spans.append(.init(String(character), style))
        }
        width += character.terminalWidth
    }

    /// The word in pieces that are at most so wide, if its characters allow.
    func pieces(width limit: Int) -> [WrappedWord] {
        var pieces: [WrappedWord] = [WrappedWord()]
        for span in spans {
            for character in span.text {
                let isFull = pieces[pieces.count - 1].width + character.terminalWidth > limit
                if isFull, pieces[pieces.count - 1].width > 0 { pieces.append(WrappedWord()) }
                pieces[pieces.count - 1].append(character, span.style)
            }
        }
        return pieces
    }
}

private struct LineInProgress {
    private(set) var spans: [TerminalSpan] = []
    private(set) var width = 0

    mutating func add(_ word: WrappedWord, afterSpace: Bool) {
        if afterSpace {
            let isOneStyle = spans.last?.style == word.spans.first?.style
            add(" ", isOneStyle ? spans.last?.style ?? .plain : .plain)
        }
        for span in word.spans { add(span.text, span.style) }
        width += word.width + (afterSpace ? 1 : 0)
    }

    private mutating func add(_ text: String, _ style: TerminalStyle) {
        if spans.last?.style == style {
            spans[spans.count - 1].text += text
        } else {
            spans.append(.init(text, style))
        }
    }
}
