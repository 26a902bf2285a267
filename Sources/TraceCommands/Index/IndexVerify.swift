internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace index verify`
struct IndexVerify: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Compare the index, row by row, with a newly built one, and the search text with the rows.",
        discussion: """
            Exit status 1 if they differ; 'trace index rebuild' fixes that. 75 if a session is written so \
            often that it can't be compared.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let library = context.comparedLibrary
            let sessions = try library.sessions().filter(\.isOnline)
            let others = try library.otherJournals(library.openIndex()).filter(\.isOnline)
            let (differing, unstable, isSearchConsistent) = try Self.comparison(
                sessions.map(\.path) + others.map(\.path), context)
            if global.json {
                Output.json(
                    .object { object in
                        object.member("sessions", JSONText(Int64(sessions.count)))
                        object.member("journals", JSONText(Int64(others.count)))
                        object.member("differing", .array(differing.map { JSONText($0.escaped) }))
                        object.member("not_compared", .array(unstable.map { JSONText($0.escaped) }))
                        object.member("search", JSONText(isSearchConsistent))
                    })
            } else if differing.isEmpty, unstable.isEmpty, isSearchConsistent {
                let more = others.isEmpty ? "" : " and \(counted(others.count, "other journal"))"
                Output.line("ok: \(sessions.count) sessions\(more) match their files")
            }
            guard differing.isEmpty else {
                throw CommandFailure(
                    .negative,
                    "the index differs from the files of \(differing.count) sessions:\(Self.list(of: differing))"
                )
            }
            guard isSearchConsistent else {
                throw CommandFailure(
                    .negative, "the search text does not match the rows",
                    cure: "\(verb: "index rebuild") makes a new one from the session files")
            }
            guard unstable.isEmpty else {
                throw CommandFailure(
                    .tryAgain,
                    "written during the comparison, so they could not be compared:\(Self.list(of: unstable))",
                    cure: "try again when they are no longer being written")
            }
        }
    }

    private static func list(of sessions: [FilePath]) -> String {
        sessions.map { "\n  \($0.escaped)" }.joined()
    }

    /// How long a session may be read again because it is written meanwhile.
    private static let patience = Duration.seconds(5)

    /// The sessions whose rows are others in a fresh index, which is made beside the real one and removed again; those that were
    /// written too often to be compared; and whether the search text is that of the rows.
    private static func comparison(
        _ paths: [FilePath], _ context: CommandContext
    ) throws -> (differing: [FilePath], unstable: [FilePath], isSearchConsistent: Bool) {
        let index = try context.library.openIndex()
        let settleTime = context.settings.settleTime
        return try PrivateDirectory.with(in: context.settings.stateDirectory) { directory in
            let fresh = try JournalIndex(ownAt: directory.appending("index.sqlite"), formats: Journals.all)
            func read(_ path: FilePath, into index: JournalIndex) throws {
                _ = try index.reconcile(
                    journal: path, in: context.roots.root(of: path), settleTime: settleTime)
            }
            let (isSearchConsistent, _) = try OrderedWork.pair {
                try index.isSearchConsistent()
            } here: {
                for path in paths { try read(path, into: fresh) }
            }
            let (own, right) = try OrderedWork.pair {
                try paths.map { try index.rowsHash(of: $0) }
            } here: {
                try paths.map { try fresh.rowsHash(of: $0) }
            }
            let doubtful = zip(paths, zip(own, right)).filter { $1.0 != $1.1 }.map(\.0)
            func isCurrent(_ path: FilePath) throws -> Bool {
                try fresh.isCurrent(session: path) && index.isCurrent(session: path)
            }
            var differing: [FilePath] = []
            var unstable: [FilePath] = []
            for path in doubtful {
                let end = ContinuousClock.now + patience
                while true {
                    try read(path, into: index)
                    try read(path, into: fresh)
                    // Both have read the same files only where these rest before and after the look at the rows.
                    let rested = try isCurrent(path)
                    if try index.rowsHash(of: path) == fresh.rowsHash(of: path) { break }
                    if rested, try isCurrent(path) {
                        differing.append(path)
                        break
                    }
                    guard .now < end else {
                        unstable.append(path)
                        break
                    }
                }
            }
            return (differing, unstable, isSearchConsistent)
        }
    }
}
