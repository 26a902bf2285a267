internal import Journals
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Checks what earlier versions, and others, have left in journals besides sessions, and in their place.
enum JournalChecks {
    static func all(_ context: CommandContext) -> [HealthCheck] {
        let roots = context.roots
        let journals = JournalLocator(roots: roots.paths, formats: Journals.all.besidesSessions).candidates()
        // The ids of sessions, and where these are, matter beside other journals alone.
        guard !journals.isEmpty else { return [] }
        let sessions = context.locator.candidates()
        let places = Set(roots.paths.flatMap { roots.journals(of: $0) })
        return journals.sorted { $0.path.string < $1.path.string }.flatMap { journal in
            [
                repeatedRecords(in: journal.path), planted(in: journal.path, among: places),
                namesakes(of: journal, among: sessions),
            ].compactMap(\.self)
        }
    }

    /// Records that a write has made twice, which versions did that started over behind its line in the log.
    private static func repeatedRecords(in journal: FilePath) -> HealthCheck? {
        // What can't be read is a finding of its own.
        guard let document = try? OpenedPractice(journal, now: Clock.now()).document,
            case let count = document.repeatedCount, count > 0
        else { return nil }
        return HealthCheck(
            .problem, "journal",
            "\(counted(count, "record")) in \(journal.escaped) repeat earlier ones, id and all",
            cure: "'trace repair \(journal.escaped) --write' removes what is there twice")
    }

    /// Journals in the cache of a library, where versions put them that fetched a file with the name of a header.
    private static func planted(in journal: FilePath, among places: Set<FilePath>) -> HealthCheck? {
        let cache = journal.appending(LibraryCacheNames.folder)
        let found = places.filter { $0.lies(in: cache) }.map(\.escaped).sorted()
        guard !found.isEmpty else { return nil }
        return HealthCheck(
            .problem, "journal",
            "\(counted(found.count, "journal")) in the library of \(journal.escaped), where only files to read belong: \(found.shortList)",
            cure:
                "look what is in it, then delete its header (practice.json, session.json), or move it out of the library"
        )
    }

    /// Sessions that were made under the id of a journal, which keep what is delivered for it waiting.
    private static func namesakes(
        of journal: JournalCandidate, among sessions: [SessionCandidate]
    ) -> HealthCheck? {
        guard let id = journal.id else { return nil }
        let found = sessions.filter { $0.session.id == id }.map(\.path.escaped).sorted()
        guard !found.isEmpty else { return nil }
        return HealthCheck(
            .problem, "journal",
            "\(counted(found.count, "session")) with the id of the journal \(journal.path.escaped): \(found.shortList)",
            cure:
                "write another id into its session.json, or move it out of the roots; then what waits for the journal is written"
        )
    }
}
