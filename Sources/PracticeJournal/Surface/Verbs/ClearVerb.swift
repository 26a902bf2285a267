internal import RecordFormat
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Empties a journal. No entry of a queue asks for it: a device that may write could do it otherwise.
enum ClearVerb: DeclaredVerb {
    static let verb = Verb(
        "clear", "Empty the journal: all rows, scores, notes and groups",
        discussion: """
            What is noted about games goes, too, and the log of the library. The settings stay, and so do the slots, the library and the \
            tables of the league. 'trace practice undo' brings everything back. A device that exchanges the document loses at its next \
            journey what this has removed.
            """, examples: ["--dry-run"], [DeclaredParameter](.dryRun)
    ) { asked, _ in .act(Act { place in try cleared(place, isDry: asked[.dryRun]) }) }

    private static func cleared(_ place: any ActPlace, isDry: Bool) throws -> Answer {
        let writer = try place.writer
        let counts: PracticeClearing.Counts =
            isDry
            ? try PracticeClearing.counts(in: OpenDirectory(writer.path))
            : try PracticeClearing.clear(writer)
        let json = JSONText.object { object in
            object.member("rows", DocumentNumber.json(counts.rows))
            object.member("records", DocumentNumber.json(counts.records))
            object.member("groups", DocumentNumber.json(counts.groups))
            object.member("log_entries", DocumentNumber.json(counts.logEntries))
            object.member("done", JSONText(!isDry))
        }
        let words = [
            counted(counts.rows, "row"), counted(counts.groups, "group"),
            "\(counted(counts.records, "record")) of them",
            "\(counted(counts.logEntries, "line")) of the library's log",
        ].joined(separator: ", ")
        return Answer(.one { json }) { _ in [.lines(["\(isDry ? "would remove" : "removed"): \(words)"])] }
    }
}
