internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What the words of `trace mark` mean: `[SESSION] [OFFSET] [LABEL]`, each of which may be left out.
///
/// An offset is known by its grammar. A first word that is not one is the session if it is a path, a whole id or the name of an open session; else
/// it is the label, unless a closed session has that name and more shows that it is meant.
///
/// Source: docs/command-line.md#marking.
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
                let others = rest.dropFirst()
                let hasOffset = offset != nil || others.first.map(Self.isMeantAsOffset) ?? false
                let labels = others.count - (offset == nil && hasOffset ? 1 : 0)
                session = context.session(
                    meantBy: first, hasOffset: hasOffset, hasLabel: label != nil || labels > 0)
                if session != nil { rest.removeFirst() }
            }
        }
        // A label may stand before its offset, too.
        let isLabelFirst = rest.count > 1 && label == nil && !Self.isMeantAsOffset(rest[rest.startIndex])
        self.label = isLabelFirst ? try words(rest.removeFirst()) : label
        if let offset {
            self.offset = offset
        } else if let next = rest.first, Self.isMeantAsOffset(next) {
            _ = try OffsetExpression(next)
            self.offset = rest.removeFirst()
        } else {
            self.offset = "now"
        }
        if self.label == nil { self.label = try rest.popFirst().map(words) }
        guard rest.isEmpty else {
            throw CommandFailure(
                .usage, "too many words: '\(rest.joined(separator: " "))'",
                cure: "put a label of several words in quotes: trace mark 2:00 \"That groove\"")
        }
    }

    private static func isOffset(_ word: String) -> Bool { (try? OffsetExpression(word)) != nil }

    private static func isMeantAsOffset(_ word: String) -> Bool { isOffset(word) || looksLikeOffset(word) }

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

    /// What names the session, if the first word does; nil if that is the label, which is said where it could be taken for a session.
    ///
    /// - Parameters:
    ///   - hasOffset: Whether an offset is given, which a closed session needs.
    ///   - hasLabel: Whether something else is the label.
    fileprivate func session(meantBy word: String, hasOffset: Bool, hasLabel: Bool) -> String? {
        // An empty word is a variable of a script that was never set.
        guard let selector = selector(word), case .words = selector, !word.isEmpty,
            ULID(word.uppercased()) == nil
        else { return word }
        let all = locator.candidates()
        let named = SessionLocator.named(word, among: all)
        let open = named.filter { $0.session.status == .active }
        if !open.isEmpty { return name(open, word) }
        if hasLabel || hasOffset && !named.isEmpty { return name(named, word) }
        if let closed = named.first {
            notice(
                "'\(word)' is the label: \(closed.shownName) is closed; an offset or \(Self.sessionOption(closed, all)) means that session"
            )
            return nil
        }
        guard let near = near(word, among: all.filter { $0.session.status == .active }) else { return nil }
        if Confirmation.hasTerminal, Confirmation.isGiven(for: "is the session \(near.shownName) meant?") {
            return ArgumentBytes.text(of: near.path.bytes)
        }
        notice("'\(word)' is the label; \(Self.sessionOption(near, all)) means \(near.shownName)")
        return nil
    }

    private static func sessionOption(_ session: SessionCandidate, _ all: [SessionCandidate]) -> String {
        "'--session \(SessionLocator.name(of: session, among: all).asShellWord)'"
    }

    /// The path of the only one, or of the only live one; else the word, of which an error says what it may mean.
    private func name(_ sessions: [SessionCandidate], _ word: String) -> String {
        let now = Clock.now()
        let live =
            sessions.count > 1
            ? sessions.filter { $0.forgotten(now: now, after: settings.staleAfter) == nil } : sessions
        guard let only = live.first, live.count == 1 else { return word }
        return ArgumentBytes.text(of: only.path.bytes)
    }

    /// The only open session that a word may be a slip or the beginning of.
    private func near(_ word: String, among open: [SessionCandidate]) -> SessionCandidate? {
        let word = word.lowercased()
        let near = open.filter { session in
            session.names.contains { $0.hasPrefix(word) && word.count > 2 }
                || likelyName(for: word, among: session.names) != nil
        }
        return near.count == 1 ? near.first : nil
    }
}
