internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// `trace index verify`
struct IndexVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Compare the index, row for row, with one that is built anew, and the search text with the rows.",
        discussion: "Exit status 1 where they differ; 'trace index rebuild' makes them the same.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let sessions = try Catalogue(workplace).sessions().filter(\.isOnline)
            let (differing, isSearchRight) = try Self.comparison(sessions, workplace)
            if global.json {
                Output.json(
                    .object { object in
                        object.member("sessions", JSONText(Int64(sessions.count)))
                        object.member("differing", .array(differing.map { JSONText($0.escaped) }))
                        object.member("search", JSONText(isSearchRight))
                    })
            } else if differing.isEmpty, isSearchRight {
                Output.line("ok: \(sessions.count) sessions are indexed as their files are")
            }
            guard differing.isEmpty else {
                let list = differing.map { "\n  \($0.escaped)" }.joined()
                throw CommandFailure(
                    .negative, "the index differs from the files of \(differing.count) sessions:\(list)")
            }
            guard isSearchRight else {
                throw CommandFailure(
                    .negative, "the search text is not that of the rows",
                    hint: "'trace index rebuild' makes it anew")
            }
        }
    }

    /// The sessions whose rows are others in a fresh index, which is made beside the real one and removed again; and
    /// whether the search text is that of the rows.
    private static func comparison(
        _ sessions: [IndexedSession], _ workplace: Workplace
    ) throws -> (differing: [FilePath], isSearchRight: Bool) {
        let index = try workplace.openIndex()
        let settleTime = workplace.settings.settleTime
        return try PrivateDirectory.with(in: workplace.settings.stateDirectory) { directory in
            let fresh = try SessionIndex(ownAt: directory.appending("index.sqlite"))
            let paths = sessions.map(\.path)
            func read(_ path: FilePath, into index: SessionIndex) throws {
                _ = try index.reconcile(session: path, in: workplace.root(of: path), settleTime: settleTime)
            }
            let (isSearchRight, _) = try OrderedWork.pair {
                try index.searchIsRight()
            } here: {
                for path in paths { try read(path, into: fresh) }
            }
            let (own, right) = try OrderedWork.pair {
                try paths.map { try index.rowsHash(of: $0) }
            } here: {
                try paths.map { try fresh.rowsHash(of: $0) }
            }
            let doubtful = zip(paths, zip(own, right)).filter { $1.0 != $1.1 }.map(\.0)
            // One that is written meanwhile differs by what the index has not read yet.
            let differing = try doubtful.filter { path in
                try !(1...3).contains { _ in
                    try read(path, into: index)
                    try read(path, into: fresh)
                    return try index.rowsHash(of: path) == fresh.rowsHash(of: path)
                }
            }
            return (differing, isSearchRight)
        }
    }
}
