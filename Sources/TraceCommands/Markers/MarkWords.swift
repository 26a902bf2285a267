internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// What the words of `trace mark` mean: `[SESSION] [OFFSET] [LABEL]`, each of which may be left out.
///
/// An offset is known by its grammar. A first word that is not one is the session.
struct MarkWords {
    var session: String?
    /// `now` where none was typed.
    var offset: String
    var label: String?

    /// - Parameters:
    ///   - typed: The words. If `--session` is given, none of them is the session.
    ///   - offset: The value of `--offset`; no word is an offset then.
    ///   - label: The value of `--label`.
    /// - Throws: ``CommandFailure`` with `.usage` if a word could be an offset and a session, or there are too many;
    ///   ``FormatError`` with `.offsetMalformed` for one that looks like an offset.
    init(_ typed: [String], offset: String?, label: String?, _ context: CommandContext) throws {
        var rest = typed[...]
        if let first = rest.first, !context.isSessionNamed {
            if offset == nil, Self.isOffset(first) {
                try Self.requireNoSession(first, context)
            } else if offset == nil, Self.looksLikeOffset(first), context.sessionNamed(first) == nil {
                // Says what is wrong with it.
                _ = try OffsetExpression(first)
            } else {
                session = rest.removeFirst()
            }
        }
        if let offset {
            self.offset = offset
        } else if let next = rest.first, Self.isOffset(next) || Self.looksLikeOffset(next) {
            _ = try OffsetExpression(next)
            self.offset = rest.removeFirst()
        } else {
            self.offset = "now"
        }
        self.label = label
        if label == nil { self.label = try rest.popFirst().map(words) }
        guard rest.isEmpty else {
            throw CommandFailure(
                .usage, "too many words: '\(rest.joined(separator: " "))'",
                cure: "put a label of several words in quotes: trace mark 2:00 \"That groove\"")
        }
    }

    private static func isOffset(_ word: String) -> Bool { (try? OffsetExpression(word)) != nil }

    /// Whether a word can hardly be anything but an offset with a slip in it, such as `2:60`: a mark that stood elsewhere for it, and
    /// had it as its label, would not be found again.
    private static func looksLikeOffset(_ word: String) -> Bool {
        let digits = word.drop { "+-".contains($0) }
        return digits.utf8.first?.isASCIIDigit == true
            && digits.utf8.allSatisfy { $0.isASCIIDigit || ":.,hms".utf8.contains($0) }
    }

    /// A session may be called `2:00`, and who means it is asked to say so.
    private static func requireNoSession(_ word: String, _ context: CommandContext) throws {
        guard let session = context.sessionNamed(word) else { return }
        throw CommandFailure(
            .usage, "'\(word)' is an offset, but also the session \(session.escaped)",
            cure:
                "write \(option: "offset") \(word) for the offset, or \(option: "session") ./\(word) or the session's id for the session"
        )
    }
}

extension CommandContext {
    /// The session that a word names as its directory or its title.
    fileprivate func sessionNamed(_ word: String) -> FilePath? {
        if case .directory(let path)? = selector(word),
            (try? OpenDirectory(path).statusIfPresent(of: "session.json", followingLinks: true)) ?? nil != nil
        {
            return absolute(path)
        }
        return locator.candidates().first { candidate in
            candidate.path.lastComponent?.escaped == word
                || candidate.session.title?.lowercased() == word.lowercased()
        }?.path
    }
}
