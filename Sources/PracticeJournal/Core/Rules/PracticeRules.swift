package import RecordFormat
internal import TraceText

/// The rules of a practice journal's document. Source: docs/rules.md#practice-journals.
extension Rule {
    /// Every rule of a practice journal's document, beside those of reading and of any journal.
    static let practice = [
        practiceShapeMixed, practiceShapeLegacy, practiceKeysBoth, practiceIDDuplicate, practiceDatesApple,
        practiceDateUnit, practiceDateImplausible, practiceWordUnknown, practiceProgressRange,
        practiceGameUnknown, practiceGameNotCanonical, practiceLinkMissing, practiceGroupSelectedMissing,
        practiceGroupPriorityMany, practiceMapKeyBlank, practiceLegacyLeft, practiceLegacyGuess,
    ]

    /// The rules of what devices bring.
    static let replicas = [practiceReplicaEmptied]
    static let practiceReplicaEmptied = Rule(
        "practice-replica-emptied", .error, "A device's document has most of the records that it had before.",
        cure: "check the device; if that is meant: trace practice accept DEVICE")

    // MARK: - The library's cache

    static let libraryCache = [practiceCacheHash, practiceLibraryRecord]
    static let practiceCacheHash = Rule(
        "practice-cache-hash", .error, "The library is the one that the manifest of its cache describes.",
        cure:
            "fetch it again: trace practice library fetch; if it was edited on purpose, delete cache-manifest.json"
    )

    static let practiceLibraryRecord = Rule(
        "practice-library-record", .warning,
        "A record of the library's files has the names and ids by which it is read.",
        cure: "bring the library up to date: trace practice library fetch; the other records are read")

    // MARK: - The document as a whole

    static let practiceShapeMixed = Rule(
        "practice-shape-mixed", .error,
        "A document has either the keys of the practice journal or those of Android's older shape.",
        cure: "import the two halves separately, each as a file of its own")
    static let practiceShapeLegacy = Rule(
        "practice-shape-legacy", .warning, "A document has the shape of schema 4.",
        cure: "convert it: trace practice convert FILE")
    static let practiceKeysBoth = Rule(
        "practice-keys-both", .warning, "The stored keys of an app hold one document.",
        cure: "check that 'practice-state-json', which is read, is the newer one")
    package static let practiceIDDuplicate = Rule(
        "practice-id-duplicate", .error, "An id is used by one record of its array.",
        cure: [
            "\(verb: "repair") removes a record that is equal to an earlier one",
            "give another one a new UUID, or delete it",
        ]
    )

    // MARK: - Dates

    static let practiceDatesApple = Rule(
        "practice-dates-apple", .warning, "The times of a document are milliseconds since 1970.",
        cure: "rewrite the times: trace repair")
    static let practiceDateUnit = Rule(
        "practice-date-unit", .warning, "All times of a document have the same unit.",
        cure: "check the time that it is read as, and rewrite it: trace repair")
    static let practiceDateImplausible = Rule(
        "practice-date-implausible", .warning, "A time is one that a practice journal can have.",
        cure: "write the intended time in milliseconds since 1970")

    // MARK: - Values

    static let practiceWordUnknown = Rule(
        "practice-word-unknown", .warning, "A word is one of those that its key has in schema 4.",
        cure: "keep it if a newer app wrote it; else write one of the known words")
    static let practiceProgressRange = Rule(
        "practice-progress-range", .warning, "A progress is from 0 to 100 percent.",
        cure: "write a whole number from 0 to 100")
    static let practiceMapKeyBlank = Rule(
        "practice-map-key-blank", .warning, "Offsets, hints and notes of a game have its id as their key.",
        cure: "delete the member: trace repair")

    // MARK: - Games

    static let practiceGameUnknown = Rule(
        "practice-game-unknown", .warning, "A game id is that of a game in the library.",
        cure: "bring the library up to date, or correct the id")
    static let practiceGameNotCanonical = Rule(
        "practice-game-not-canonical", .warning, "A game id is written in its canonical form.",
        cure: "rewrite the ids: trace practice canonicalise")

    // MARK: - Between records

    static let practiceLinkMissing = Rule(
        "practice-link-missing", .warning,
        "A row of the journal with a value has its record in the array of such values.",
        cure: "keep the row if the value was deleted on purpose; else delete it and write it again")
    static let practiceGroupSelectedMissing = Rule(
        "practice-group-selected-missing", .warning, "The selected group exists.",
        cure: "select another group")
    static let practiceGroupPriorityMany = Rule(
        "practice-group-priority-many", .warning, "At most one group has priority.",
        cure: "take the priority from all groups but one")

    // MARK: - Conversion

    static let practiceLegacyLeft = Rule(
        "practice-legacy-left", .warning, "A record of the older shape has what schema 4 requires.",
        cure: "add what is missing in the original file, and convert it again")
    static let practiceLegacyGuess = Rule(
        "practice-legacy-guess", .warning, "The text of an older row has a form that is known.",
        cure: "check the row that it became, and edit or delete it")
}
