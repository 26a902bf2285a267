package import RecordFormat
public import SystemPackage
internal import TraceFiles
public import TraceFormat
package import TraceText

/// What a person typed to name a session.
///
/// Source: docs/command-line.md#which-session.
public enum SessionSelector: Sendable, Hashable {
    /// A directory.
    case directory(FilePath)
    /// The session that began last.
    case last
    /// A ULID, a unique beginning of one, the name of a directory below the roots, that without its date, or a title.
    case words(String)

    /// Reads an argument: a path is whatever holds a slash or is a session in the working directory. Any other folder there
    /// hides no session of that name.
    public init(_ argument: String) {
        let path = FilePath(argument)
        if argument == "last" {
            self = .last
        } else if argument.utf8.contains(UInt8(ascii: "/")) || argument == "." || argument == ".."
            || OpenDirectory.holdsSession(path)
        {
            self = .directory(path)
        } else {
            self = .words(argument)
        }
    }
}

/// A session that matches a selector.
public struct SessionCandidate: Sendable, Hashable {
    /// Its directory.
    public var path: FilePath
    /// What `session.json` says.
    public var session: Session

    /// A session in a directory.
    public init(path: FilePath, session: Session) {
        self.path = path
        self.session = session
    }

    /// Reads the header of the session at `path`.
    ///
    /// - Throws: ``FileError``.
    public init(reading path: FilePath) throws {
        self.init(path: path, session: try SessionReader(path).header().session)
    }

    /// As ``init(reading:)``; a header that is being rewritten is waited for, or the session would be missing for a moment and
    /// another one be taken for the one that is meant.
    fileprivate init(awaiting path: FilePath) throws {
        let reader = try SessionReader(path)
        self.init(path: path, session: (try? reader.settledHeader().session) ?? Session())
    }
}

/// Resolves a selector to a session.
public struct SessionLocator: Sendable {
    /// Where sessions are looked for.
    public let roots: [FilePath]
    /// How long nothing may happen in an active session until it does not compete with those that are live; nil for any time.
    package var staleAfter: Duration?
    /// Whether the beginning of a name or a title names a session, too, if it is that of one alone.
    package var takesBeginnings = false

    /// A locator for these roots.
    public init(roots: [FilePath]) { self.roots = roots }

    /// Every session below the roots; one that several roots lead to counts once.
    public func candidates() -> [SessionCandidate] {
        var seen: Set<FileID> = []
        return roots.flatMap { root in
            SessionFinder.sessions(in: root).compactMap { path in
                guard let directory = try? OpenDirectory(path),
                    let place = try? directory.status().identity.file,
                    seen.insert(place).inserted
                else { return nil }
                return try? SessionCandidate(awaiting: path)
            }
        }
    }

    /// The directory of the session that is meant.
    ///
    /// - Parameters:
    ///   - selector: What was typed; nil for the session around `workingDirectory`, else the one active session.
    /// - Throws: ``StoreError`` with `.noSuchSession` or `.ambiguousSession`, which lists what could be meant.
    public func path(of selector: SessionSelector?, workingDirectory: FilePath) throws -> FilePath {
        try choice(of: selector, workingDirectory).path
    }

    /// The session that is meant, for something that is to be written into it.
    ///
    /// - Throws: As ``path(of:workingDirectory:)``; `.otherSession` if directories keep being exchanged.
    package func target(of selector: SessionSelector?, workingDirectory: FilePath) throws -> SessionTarget {
        var retry = RetryDeadline(timeout: .seconds(1))
        while true {
            let choice = try stableChoice(of: selector, workingDirectory)
            let target = try SessionTarget(reading: choice.path)
            // By its name it may have been found as another session than is there now.
            if choice.id == nil || target.session.id == choice.id { return target }
            guard retry.pause() else {
                throw StoreError(
                    .otherSession, "keeps being replaced by other directories", path: choice.path,
                    cure: "wait until the program that does this has finished, then try again")
            }
        }
    }

    /// As `choice(of:_:)`. A directory that is exchanged during the search can seem to be in two places, which another search
    /// does not find.
    private func stableChoice(
        of selector: SessionSelector?, _ workingDirectory: FilePath
    ) throws -> (path: FilePath, id: ULID?) {
        for _ in 1...3 {
            do { return try choice(of: selector, workingDirectory) } catch let error as StoreError
                where error.code == .ambiguousSession
            {
                continue
            }
        }
        return try choice(of: selector, workingDirectory)
    }

    /// - Returns: Where the session lies, and its id where that is by what it was found.
    private func choice(
        of selector: SessionSelector?, _ workingDirectory: FilePath
    ) throws -> (path: FilePath, id: ULID?) {
        switch selector {
        case .directory(let path): return (try existing(path), nil)
        case .last: return try last().found
        case .words(let words): return try named(words).found
        case nil:
            if let path = around(workingDirectory) { return (path, nil) }
            return try active().found
        }
    }

    private func existing(_ path: FilePath) throws -> FilePath {
        func missing(_ message: String, cure: Cure? = nil) -> StoreError {
            StoreError(
                .noSuchSession, message, path: path,
                cure: cure ?? [
                    "\(verb: "sessions") lists the sessions", "\(verb: "session init") creates one",
                ])
        }
        do {
            let directory = try OpenDirectory(path)
            guard try directory.holdsSession() else {
                if let name = try directory.headerInOtherCase() {
                    throw missing(
                        "is not a session: case counts, and its \(name.escaped) is to be named session.json",
                        cure: "rename \(name.escaped) to session.json")
                }
                throw missing("is not a session: it has no session.json")
            }
            guard !JournalFinder.isInBin(PathCheck.resolved(path) ?? path) else {
                throw StoreError(
                    .noSuchSession, "was deleted, and is in the bin", path: path,
                    cure: "\(verb: "session restore \(path.escaped)") restores it")
            }
            return path
        } catch let error as FileError where error.code == .notFound {
            throw missing("no such directory")
        }
    }

    /// Whether a directory is that of a session, or in one.
    package func isInSession(_ directory: FilePath) -> Bool { around(directory) != nil }

    private func around(_ workingDirectory: FilePath) -> FilePath? {
        var path = workingDirectory
        while true {
            if (try? existing(path)) != nil { return path }
            guard path.lastComponent != nil else { return nil }
            path.removeLastComponent()
        }
    }

    private func last() throws -> SessionCandidate {
        let started = candidates().filter { $0.session.startTime != nil }
        guard
            let last = started.max(by: {
                $0.session.startTime ?? .distantPast < $1.session.startTime ?? .distantPast
            })
        else { throw none("there is no session in \(rootNames)", cure: .openSession) }
        return last
    }

    private func active() throws -> SessionCandidate {
        let all = candidates()
        let active = all.filter { $0.session.status == .active }
        guard !active.isEmpty else {
            throw none(
                "no session was given, and none is active in \(rootNames)",
                cure: all.isEmpty ? .openSession : nil)
        }
        let live = active.count > 1 ? live(among: active) : active
        let candidates = live.isEmpty ? active : live
        return try single(candidates, "no session was given, and \(candidates.count) are active")
    }

    /// Those of some active sessions in which something has happened lately.
    private func live(among active: [SessionCandidate]) -> [SessionCandidate] {
        guard let staleAfter else { return active }
        let now = Clock.now()
        return active.filter { $0.forgotten(now: now, after: staleAfter) == nil }
    }

    private func named(_ words: String) throws -> SessionCandidate {
        // An empty argument is a variable of a script that was never set, and not the title of an untitled session.
        guard !words.isEmpty else { throw none("the session's name is empty") }
        let all = candidates()
        var (matches, isByID) = Self.matches(words, in: all)
        if matches.isEmpty, takesBeginnings { matches = all.filter { $0.name(beginsWith: words) } }
        guard !matches.isEmpty else {
            // What was meant may be the folder of that name here.
            if (try? OpenDirectory(FilePath(words))) != nil { _ = try existing(FilePath(words)) }
            throw none(
                "no session is named '\(words)' in \(rootNames)", cure: all.isEmpty ? .openSession : nil)
        }
        return try single(
            matches, isByID ? "'\(words)' is a prefix of several ids" : "'\(words)' matches several sessions")
    }

    /// The sessions that words name: by the beginning of an id, else by the name of a directory, else by a title, else by a slug.
    private static func matches(
        _ words: String, in all: [SessionCandidate]
    ) -> (found: [SessionCandidate], isByID: Bool) {
        let byID = all.filter { $0.session.id?.description.hasPrefix(words.uppercased()) == true }
        return byID.isEmpty ? (named(words, among: all), false) : (byID, true)
    }

    /// The sessions that words name as a whole: by the name of a directory, else by a title, else by a slug.
    package static func named(_ words: String, among all: [SessionCandidate]) -> [SessionCandidate] {
        let byName = all.filter { $0.path.lastComponent?.escaped == words }
        if !byName.isEmpty { return byName }
        let byTitle = all.filter { $0.session.title?.lowercased() == words.lowercased() }
        return byTitle.isEmpty ? all.filter { $0.slug == words } : byTitle
    }

    /// What a person can type for a session so that none of the others is meant: the name of its directory, else its id, else
    /// its path.
    package static func name(of candidate: SessionCandidate, among all: [SessionCandidate]) -> String {
        let words = [candidate.path.lastComponent?.string, candidate.session.id?.description]
        return words.compactMap(\.self).first { word in
            !word.hasPrefix("-") && SessionSelector(word) == .words(word)
                && matches(word, in: all).found == [candidate]
        } ?? candidate.path.string
    }

    private var rootNames: String { roots.map(\.escaped).joined(separator: ", ") }

    private func none(_ message: String, cure: Cure? = nil) -> StoreError {
        StoreError(
            .noSuchSession, message,
            cure: cure ?? ["give a directory, an id, a title or 'last'", "\(verb: "sessions") lists them"])
    }

    private func single(_ matches: [SessionCandidate], _ problem: String) throws -> SessionCandidate {
        if matches.count == 1, let match = matches.first { return match }
        let list = matches.prefix(10).map { candidate in
            let id = candidate.session.id?.description ?? "(no id)"
            let title = candidate.session.displayTitle.map { "  \($0.oneLine)" } ?? ""
            return "  \(id)  \(candidate.path.escaped)\(title)"
        }
        let more = matches.count > 10 ? ["  and \(matches.count - 10) more"] : []
        throw StoreError(
            .ambiguousSession, "\(problem):\n" + (list + more).joined(separator: "\n"),
            cure: "choose one of them with \(option: "session")")
    }
}

extension SessionCandidate {
    /// The name of its directory without the date that it begins with: `late-set` of `2026-02-04-late-set`; nil if it begins with none.
    package var slug: String? {
        guard let name = path.lastComponent?.string else { return nil }
        let date = name.utf8.prefix(11)
        let isDate = zip(date, "0000-00-00-".utf8).allSatisfy { byte, sample in
            sample == UInt8(ascii: "-") ? byte == sample : byte.isASCIIDigit
        }
        return isDate && name.utf8.count > 11 ? String(name.dropFirst(11)) : nil
    }

    /// What a person can call it, in lower case.
    package var names: [String] {
        [path.lastComponent?.escaped, slug, session.displayTitle].compactMap { $0?.lowercased() }
    }

    /// Whether something that a person can call it begins so.
    fileprivate func name(beginsWith words: String) -> Bool {
        names.contains { $0.hasPrefix(words.lowercased()) }
    }

    /// Whether nothing has happened in it for so long that it seems to have been forgotten.
    package func forgotten(now: Timestamp, after limit: Duration) -> ForgottenSession? {
        ForgottenSession(reading: session, in: { try SessionReader(path) }, now: now, after: limit)
    }

    fileprivate var found: (path: FilePath, id: ULID?) { (path, session.id) }
}

extension Cure {
    /// The one command to type next on a machine without sessions.
    package static let openSession: Cure =
        "\(verb: "session init --title Monday") creates a session and starts its clock"
}

extension OpenDirectory {
    fileprivate func holdsSession() throws -> Bool {
        try statusIfPresent(of: "session.json", followingLinks: true) != nil
    }

    /// A file that would be the header of a session if case did not count.
    fileprivate func headerInOtherCase() throws -> FilePath.Component? {
        var found: FilePath.Component?
        try forEachName { name in
            if name.string.lowercased() == "session.json" { found = name }
        }
        return found
    }

    /// Whether a session is at a path that can be seen.
    fileprivate static func holdsSession(_ path: FilePath) -> Bool {
        (try? OpenDirectory(path).holdsSession()) == true
    }
}

extension Timestamp {
    fileprivate static let distantPast = Timestamp(milliseconds: .min)
}
