internal import TraceText

extension SettingType<String> {
    /// A word.
    static var word: SettingType {
        .single(
            "word",
            read: { (text, _) throws(SettingProblem) in
                guard let word = String(validating: text, as: UTF8.self), !word.isEmpty,
                    !word.contains(where: \.isWhitespace)
                else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not a word", cure: "write it without spaces")
                }
                return word
            }, write: { $0 })
    }
}

extension SettingType<[String]> {
    /// A program and its arguments, separated by spaces; quotes and backslashes are read as a shell reads them, and nothing
    /// else is. No shell runs.
    static var commandLine: SettingType {
        .single(
            "command line",
            read: { (text, _) throws(SettingProblem) in
                guard let line = String(validating: text, as: UTF8.self), let words = words(of: line) else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not a command line",
                        cure: "close its quotes, and write it as UTF-8")
                }
                return words
            }, write: { $0.map(quotedWord).joined(separator: " ") })
    }
}

/// The words of a command line; nil if a quote is not closed.
func words(of line: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
        switch (character, quote) {
        case ("'", "'"), ("\"", "\""): quote = nil
        case ("'", nil), ("\"", nil):
            quote = character
            word = word ?? ""
        case ("\\", nil), ("\\", "\""):
            guard let next = rest.popFirst() else { return nil }
            let isEscape = quote == nil || next == "\"" || next == "\\"
            word = (word ?? "") + (isEscape ? "" : "\\") + String(next)
        case (let space, nil) where space.isWhitespace:
            if let word { words.append(word) }
            word = nil
        default: word = (word ?? "") + String(character)
        }
    }
    guard quote == nil else { return nil }
    return words + (word.map { [$0] } ?? [])
}

/// A word as ``words(of:)`` reads it.
private func quotedWord(_ word: String) -> String {
    let isPlain = !word.isEmpty && !word.contains { $0.isWhitespace || "'\"\\".contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
}
