internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Empties a journal.
enum ClearVerb: DeclaredVerb {
    static let verb = Verb(
        "clear", AdminAct.clear.summary,
        discussion: """
            What is noted about games goes, too, and the log of the library. The settings stay, and so do the slots, the library and the \
            tables of the league. 'trace practice undo' brings everything back. A device that exchanges the document loses at its next \
            journey what this has removed.
            """, examples: ["--dry-run"], [DeclaredParameter](.dryRun)
    ) { asked, _ in .act(Act { place in try AdminAct.clear.run(place.writer, asked[.dryRun]) }) }
}

extension AdminAct {
    static let clear = AdminAct(
        "clear", id: "clearPractice", "Empty the journal: all rows, scores, notes and groups", of: .cleared
    ) { writer, isDry in
        Cleared(
            counts: isDry
                ? try PracticeClearing.counts(in: OpenDirectory(writer.path))
                : try PracticeClearing.clear(writer), isDone: !isDry)
    } screen: { cleared in
        let counts = cleared.counts
        let words = [
            counted(counts.rows, "row"), counted(counts.groups, "group"),
            "\(counted(counts.records, "record")) of them",
            "\(counted(counts.logEntries, "line")) of the library's log",
        ].joined(separator: ", ")
        return [.lines(["\(cleared.isDone ? "removed" : "would remove"): \(words)"])]
    }
}

/// What has gone, or would go.
private struct Cleared {
    let counts: PracticeClearing.Counts
    let isDone: Bool
}

extension Shape<Cleared> {
    fileprivate static let cleared = Shape(
        "PracticeCleared", "What an emptied journal has lost, or would lose",
        [
            .always("rows", "how many go", \.counts.rows),
            .always(
                "records", "how many scores, study events, video entries and notes go with the rows",
                \.counts.records),
            .always("groups", "how many go", \.counts.groups),
            .always("log_entries", "how many lines of the library's log go", \.counts.logEntries),
            .always("done", "false where it was only asked what would go", \.isDone),
        ])
}
