internal import Journals
internal import PracticeJournal
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Checks what writes of ours have left in journals besides sessions.
enum JournalChecks {
    static func all(_ context: CommandContext) -> [HealthCheck] {
        let kinds = Journals.all.besidesSessions
        let paths = Set(context.settings.roots.flatMap { JournalFinder.journals(in: $0, of: kinds) ?? [] })
        return paths.sorted { $0.string < $1.string }.compactMap(repeatedRecords)
    }

    /// Records that a write has made twice, which versions did that started over behind its line in the log.
    private static func repeatedRecords(in journal: FilePath) -> HealthCheck? {
        // What can't be read is a finding of its own.
        guard let document = try? PracticeJournalReader(journal).document(now: Clock.now()),
            case let count = document.repeatedCount, count > 0
        else { return nil }
        return HealthCheck(
            .problem, "journal",
            "\(counted(count, "record")) in \(journal.escaped) repeat earlier ones, id and all",
            cure: "'trace repair \(journal.escaped) --write' removes what is there twice")
    }
}
