internal import TraceAccess
internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What the commands share that give access: `--session`, `--journal` and `--root` say what is seen.
struct AccessArguments {
    /// Without the roots of the command line, which are no roots to search here.
    let context: CommandContext
    private let global: GlobalOptions

    init(_ global: GlobalOptions) throws {
        self.global = global
        var withoutRoots = global
        withoutRoots.roots = []
        context = try CommandContext(withoutRoots)
    }

    /// What `--session`, `--journal` and `--root` let somebody see; nil if none is given.
    ///
    /// - Parameter journals: The values of `--journal`.
    /// - Throws: ``FileError`` for a directory that can't be opened, or a session that is not found; ``LibraryError`` for a journal that
    ///   is not found; ``CommandFailure`` for one without an id.
    func filter(journals: [String]) throws -> AccessFilter? {
        guard !global.sessions.isEmpty || !global.roots.isEmpty || !journals.isEmpty else { return nil }
        let roots = try self.roots()
        let locator = SessionLocator(roots: context.settings.roots + roots)
        let sessions = try global.sessions.map { typed in
            try locator.id(of: context.selector(typed), from: context.workingDirectory)
        }
        return AccessFilter(sessions: sessions, journals: try journals.map(journalID), roots: roots)
    }

    /// A whole id is taken as it is: the journal need not be here.
    private func journalID(_ typed: String) throws -> ULID {
        if let id = ULID(typed.uppercased()) { return id }
        let (journal, _) = try context.journal(typed) { $1 }
        guard let id = journal.id.flatMap({ ULID($0) }) else {
            throw CommandFailure(
                .badData, "\(journal.path.escaped) has no id, so no token can name it",
                cure: "give the directory that it is in with \(option: "root")")
        }
        return id
    }

    private func roots() throws -> [FilePath] {
        guard !global.roots.isEmpty else { return [] }
        let roots = try CommandContext(global).settings.roots
        for root in roots {
            // A typing error would give a token that shows nothing.
            _ = try OpenDirectory(root)
            let isReached = context.settings.roots.contains { root.lies(in: $0) || $0.lies(in: root) }
            guard !isReached else { continue }
            context.warn(
                "\(root.escaped) is not below a root of the configuration, so nothing in it is served",
                cure: "add it to 'roots', or give the path that leads there from one of them")
        }
        return roots
    }

    /// Who gets the token if nothing else is said: the user who runs the command.
    func person(_ typed: String?) -> String { typed ?? UserName.current }
}

/// Reads the value of `--scope`.
@Sendable func accessScope(_ argument: String) throws -> AccessScope {
    guard let scope = AccessScope(rawValue: argument) else {
        let names = AccessScope.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'\(argument)' is not a scope. Choose one of: \(names)")
    }
    return scope
}

extension CompletionKind {
    /// What tokens are good for.
    static var scopes: CompletionKind { .words(AccessScope.self) }
}

extension CommandContext {
    /// The tokens of the state directory.
    var tokens: AccessTokens { AccessTokens(state: settings.stateDirectory) }

    /// What was done with them.
    var accessLog: AccessLog {
        AccessLog(state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
    }

    /// Notes what has been done in the access log; that it can't be noted does not undo it.
    func note(_ kind: AccessEvent.Kind, _ token: ULID?, _ name: String?) {
        do {
            try accessLog.append(
                AccessEvent(kind, token: token, tokenName: name, user: UserName.current))
        } catch {
            notice("warning: this is not in the access log: \(error)")
        }
    }
}
