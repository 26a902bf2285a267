internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceStore

/// `trace session init`
struct SessionInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a new, active session.",
        discussion: """
            Without a directory the session is made in the first root, named by the date and the title. A root that has \
            never been there is made, too.
            """)

    @Argument(help: "The session's directory; it must not exist yet.")
    var directory: String?
    @Option(parsing: .unconditional, help: "What the session is called.", transform: words)
    var title = ""
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard directory == nil, title.isEmpty else { return }
        throw ValidationError("missing <directory> for session init, or a --title to name one in the first root")
    }

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let (path, id) = try make(workplace)
            Output.done("created: \(path.escaped) (id \(id))", asJSON: global.json) { object in
                object.member("id", JSONText(id))
                object.member("path", JSONText(path.escaped))
            }
            if !workplace.isFound(path) {
                let roots = workplace.settings.roots.map(\.escaped).joined(separator: ", ")
                workplace.notice(
                    "warning: it lies in none of the roots (\(roots)): a mark goes there only if it names the session"
                        + "\n  hint: add the directory above it to 'roots' in the configuration, or make sessions below a root"
                )
            }
        }
    }

    private func make(_ workplace: Workplace) throws -> (path: FilePath, id: ULID) {
        if let directory {
            let path = workplace.absolute(FilePath(argument: directory))
            return (path, try make(at: path, workplace))
        }
        let names = NewSessionName(title: title, date: Clock.now())
        var number = 1
        while true {
            guard let root = workplace.settings.roots.first, let name = names[number] else {
                throw CommandFailure(.usage, "there is no root to make the session in")
            }
            let path = root.appending(name)
            do { return (path, try make(at: path, workplace)) } catch let error as StoreError
                where error.code == .alreadyExists && number < 100
            {
                number += 1
            }
        }
    }

    private func make(at path: FilePath, _ workplace: Workplace) throws -> ULID {
        try workplace.makeMissingRoot(for: path)
        return try SessionWriter.create(
            at: path, title: title, runtimeDirectory: workplace.settings.runtimeDirectory)
    }
}
