internal import Journals
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
                planted(in: journal, among: places), namesakes(of: journal, among: sessions),
            ].compactMap(\.self) + problems(in: journal)
        }
    }

    /// What the kind of a journal knows to look for.
    private static func problems(in journal: JournalCandidate) -> [HealthCheck] {
        // What can't be read is a finding of its own.
        guard let format = Journals.all[journal.kind],
            let opened = try? format.opened?.init(journal.path, Asking(now: Clock.now())),
            let problems = try? format.surface.problems(opened)
        else { return [] }
        return problems.map { HealthCheck(.problem, "journal", $0.message, cure: $0.cure.text ?? "") }
    }

    /// Journals in a folder of another one that holds files to read, where versions put them that fetched a file with the name of a header.
    private static func planted(
        in journal: JournalCandidate, among places: Set<FilePath>
    ) -> HealthCheck? {
        let files = Journals.all[journal.kind]?.layout.files ?? []
        for folder in Set(files.compactMap(\.folder)).sorted() {
            let inside = journal.path.appending(folder)
            let found = places.filter { $0.lies(in: inside) }.map(\.escaped).sorted()
            guard !found.isEmpty else { continue }
            let headers = Journals.all.formats.compactMap(\.fileNames.first?.string)
            return HealthCheck(
                .problem, "journal",
                "\(counted(found.count, "journal")) in the \(folder) of \(journal.path.escaped), where only files to read belong: \(found.shortList)",
                cure:
                    "look at what is in it, then delete its header (\(headers.joined(separator: ", "))), or move it out of the \(folder)"
            )
        }
        return nil
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
