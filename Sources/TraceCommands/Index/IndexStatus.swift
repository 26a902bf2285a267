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

/// `trace index status`
struct IndexStatus: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show what is in the index and how far it is behind the files.",
        discussion: "Changes nothing; the next query brings it up to date.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let state = try State(try CommandContext(global))
            guard !global.json else { return Output.json(state.json) }
            Output.lines(state.lines)
        }
    }

    /// The current state of the index.
    private struct State {
        let path: FilePath
        let isThere: Bool
        let size: Int64
        let statistics: IndexStatistics
        let lagging: Int
        let roots: [(path: FilePath, isOnline: Bool, counts: JournalCounts)]

        init(_ context: CommandContext) throws {
            path = context.settings.indexDatabase
            let index = try Self.open(path)
            isThere = index != nil
            statistics = try index?.statistics() ?? .none
            size = index == nil ? 0 : Self.size(of: path)
            let online = try context.settings.roots.filter { root in
                try index.map { try $0.look(atRoot: root) == .online } ?? ((try? OpenDirectory(root)) != nil)
            }
            let found = online.map { root in
                (root, context.roots.journals(of: root))
            }
            guard let index else {
                lagging = found.reduce(0) { $0 + $1.1.count }
                roots = context.settings.roots.map { ($0, online.contains($0), JournalCounts([:])) }
                return
            }
            var lagging = 0
            for (root, journals) in found {
                let known = Set(try index.journals(in: root))
                lagging += try index.outdated(among: journals).count + known.subtracting(journals).count
            }
            self.lagging = lagging
            roots = try context.settings.roots.map {
                ($0, online.contains($0), JournalCounts(try index.counts(below: [$0])))
            }
        }

        /// Nil if there is none yet.
        private static func open(_ path: FilePath) throws -> JournalIndex? {
            do { return try JournalIndex(readingAt: path, formats: Journals.all) } catch let error
                as IndexError
                where error.code == .notFound
            {
                return nil
            }
        }

        /// Bytes of the database and its journal.
        private static func size(of path: FilePath) -> Int64 {
            guard let directory = try? OpenDirectory(path.removingLastComponent()),
                let name = path.lastComponent
            else { return 0 }
            let names = [name, FilePath.Component("\(name.string)-wal")].compactMap(\.self)
            return names.reduce(0) { sum, name in
                sum + ((try? directory.statusIfPresent(of: name, followingLinks: true))?.identity.size ?? 0)
            }
        }

        private var search: String {
            let state = statistics.searchLags ? "; the next search fills in the rest" : ""
            return "\(statistics.filledLines) of \(statistics.searchableLines) lines filled in\(state)"
        }

        /// A session is a journal, too, but who has nothing else need not know the word.
        private var noun: String { statistics.otherJournals == 0 ? "session" : "journal" }

        private var lag: String {
            lagging == 0
                ? "up to date"
                : "behind the files of \(counted(lagging, noun)); the next query reads them"
        }

        var lines: [String] {
            guard isThere else {
                return [
                    "index:    \(path.escaped): none yet; traced creates it, or the next 'trace sessions'",
                    "lag:      \(counted(lagging, noun)) to be read",
                ] + rootLines
            }
            var lines = [
                "index:    \(path.escaped)", "size:     \(size) bytes",
                "schema:   \(statistics.schemaVersion)", "sessions: \(statistics.sessions)",
            ]
            if statistics.otherJournals > 0 {
                lines.append("journals: \(statistics.otherJournals) of other kinds")
            }
            lines += [
                "records:  \(statistics.records)", "findings: \(statistics.findings)", "search:   \(search)",
                "lag:      \(lag)",
            ]
            return lines + rootLines
        }

        private var rootLines: [String] {
            roots.map { root in
                "root:     \(root.path.escaped): \(root.isOnline ? "online" : "offline"), "
                    + root.counts.text
            }
        }

        var json: JSONText {
            .object { object in
                object.member("path", JSONText(path.escaped))
                object.member("exists", JSONText(isThere))
                object.member("size", JSONText(size))
                object.member("schema", JSONText(Int64(statistics.schemaVersion)))
                object.member("sessions", JSONText(Int64(statistics.sessions)))
                object.member("journals", JSONText(Int64(statistics.otherJournals)))
                object.member("records", JSONText(Int64(statistics.records)))
                object.member("findings", JSONText(Int64(statistics.findings)))
                object.member(
                    "search",
                    .object { object in
                        object.member("lines", JSONText(Int64(statistics.searchableLines)))
                        object.member("filled", JSONText(Int64(statistics.filledLines)))
                        object.member("lagging", JSONText(statistics.searchLags))
                    })
                object.member("lagging", JSONText(Int64(lagging)))
                object.member(
                    "roots",
                    .array(
                        roots.map { root in
                            .object { object in
                                object.member("path", JSONText(root.path.escaped))
                                object.member("online", JSONText(root.isOnline))
                                object.member("sessions", JSONText(Int64(root.counts.sessions)))
                                object.member("journals", JSONText(Int64(root.counts.others)))
                            }
                        }))
            }
        }
    }
}
