internal import TraceText

/// Rules of journals that are not sessions. Source: docs/rules.md#other-journals.
extension Rule {
    /// What any journal beside a session can violate.
    package static let journal = [journalAmbiguous, journalSchemaNewer, uuidMalformed, recordTimeFuture]
    package static let journalAmbiguous = Rule(
        "journal-ambiguous", .error, "A directory is a journal of one kind.",
        cure: "move one of the two headers to a directory of its own")
    package static let journalSchemaNewer = Rule(
        "journal-schema-newer", .warning, "A journal's format is one that this version knows.",
        cure: "install a newer version; until then it is read, not written")
    package static let uuidMalformed = Rule(
        "uuid-malformed", .error, "An id of this kind is a UUID.", cure: "write the original id")
    package static let recordTimeFuture = Rule(
        "record-time-future", .warning, "A record's time is not more than a day ahead.",
        cure: "check the clock of the device that wrote it")

    /// Of sessions and of documents.
    package static let conflictCopy = Rule(
        "conflict-copy", .warning, "There are no conflict copies left by a sync tool.",
        cure: [
            "\(verb: "repair") merges copies of .jsonl files and of documents",
            "of another file, add what it lacks from the copy, then delete the copy",
        ]
    )
}

extension Finding {
    /// A copy that a sync tool has left.
    package static func conflictCopy(_ file: String) -> Finding {
        Finding(
            .conflictCopy, at: Finding.Place(file: file),
            "a sync tool could not merge two versions of a file and kept this one as a copy")
    }
}
