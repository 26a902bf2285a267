/// Reads a sentence of the older app from its front and from its end, ignoring the case of ASCII letters.
///
/// - Complexity: O(length) for each step, whatever the text.
struct SentenceReader {
    private let text: [UInt8]
    private let lowerCase: [UInt8]
    private var position = 0
    /// Where the last line begins, less one.
    private let lastNewline: Int

    init(_ text: String) {
        self.text = Array(text.utf8)
        lastNewline = self.text.lastIndex(of: newline) ?? -1
        lowerCase = self.text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Reads these words, in lower case; false if they do not come next.
    mutating func skip(_ words: String) -> Bool {
        let words = Array(words.utf8)
        guard lowerCase[position...].starts(with: words) else { return false }
        position += words.count
        return true
    }

    /// Reads white space; false if there is none.
    mutating func skipSpace() -> Bool {
        let start = position
        while position < text.count, isSpace(position) { position += 1 }
        return position > start
    }

    /// The last such word behind white space and at least one other character, with which the text ends, or a colon and a note
    /// follow.
    ///
    /// - Parameter isAfterBlank: Whether a blank alone is before the word, and what else may be there belongs to the text.
    /// - Returns: Where the white space before it begins, and the note.
    func end(with word: String, isAfterBlank: Bool = false) -> (position: Int, note: String?)? {
        let word = Array(word.utf8)
        let lineEnd = text[position...].firstIndex(of: newline) ?? text.count
        var start = text.count - word.count
        while start > position + 1 {
            defer { start -= 1 }
            guard isAfterBlank ? text[start - 1] == 0x20 : isSpace(start - 1),
                lowerCase[start...].starts(with: word)
            else { continue }
            var space = start - 1
            while !isAfterBlank, space > position, isSpace(space - 1) { space -= 1 }
            guard space <= lineEnd, let note = note(from: start + word.count) else {
                continue
            }
            return (space, note.isEmpty ? nil : note)
        }
        return nil
    }

    /// What is before the first such word with white space around it; at least one character must be behind it.
    func first(_ word: String, before end: Int) -> String? {
        let word = Array(word.utf8)
        var start = position + 2
        while start + word.count + 1 < end {
            defer { start += 1 }
            guard isSpace(start - 1), lowerCase[start...].starts(with: word), isSpace(start + word.count)
            else {
                continue
            }
            return String(decoding: text[position..<start], as: UTF8.self).trimmedOrNil
        }
        return nil
    }

    /// What is behind the first colon and white space that one line follows; nil if there is no such colon on this line.
    func behindColon() -> String? {
        var colon = position + 1
        while colon < text.count, text[colon - 1] != newline {
            defer { colon += 1 }
            guard text[colon] == UInt8(ascii: ":") else { continue }
            let start = text[(colon + 1)...].indices.first { !isSpace($0) } ?? text.count
            if start < text.count, start > lastNewline {
                return String(decoding: text[start...], as: UTF8.self)
            }
        }
        return nil
    }

    /// The note behind a colon; empty at the end of the text, nil if something else follows.
    private func note(from position: Int) -> String? {
        if position == text.count { return "" }
        guard text[position] == UInt8(ascii: ":"), position + 1 < text.count, isSpace(position + 1) else {
            return nil
        }
        let start = text[(position + 1)...].indices.first { !isSpace($0) } ?? text.count
        return start > lastNewline ? String(decoding: text[start...], as: UTF8.self) : nil
    }

    private func isSpace(_ position: Int) -> Bool {
        text[position] == 0x20 || (0x09...0x0D).contains(text[position])
    }
}

private let newline = UInt8(ascii: "\n")
