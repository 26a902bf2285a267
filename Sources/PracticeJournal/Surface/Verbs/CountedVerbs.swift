internal import RecordFormat
internal import TraceStore
internal import TraceText

/// Takes a player's scores from the league's table.
enum LeagueImportVerb: DeclaredVerb {
    private static let player = LeagueImportWrite.player.with(
        "The player; by default, the one whose journal it is")
    private static let dryRun = Parameter<Bool>.dryRun("Only show what would be imported")

    static let verb = Verb(
        "import", "Take a player's scores from the league's table into the journal",
        discussion: """
            A score that the journal has already (same game, same day, as a league score) is skipped, so that it can be repeated. Where \
            the journal can't be written now, the import waits in the queue.
            """, examples: ["--dry-run", "--player 'Ada Quill'"],
        [DeclaredParameter](player, dryRun, .noQueue)
    ) { asked, place in
        guard let journal = try place.practice else { throw VerbPlace.away }
        // Days begin where the person is, and not where the queue is written.
        guard let source = try journal.leagueSource(zone: place.namedZone) else {
            throw PracticeRefusal(
                .notInLeague, "there is no table league/\(LeagueStats.fileName)",
                cure: "put the table of the league there, or fetch it with the library")
        }
        // Nothing that is kept of the write names a player who is redacted.
        let document = try journal.document
        let shown = source.shown(asked[player] ?? document.settings.ownPlayer)
        guard !shown.isEmpty else {
            throw PracticeRefusal(
                .nobodyNamed, "no player is named, and the journal does not say whose it is",
                cure: "give \(option: "player"), or write practiceSettings.playerName")
        }
        var write = Verb.Write(
            .leagueImport,
            Arguments().setting(LeagueImportWrite.player, shown).setting(
                LeagueImportWrite.zone, place.namedZone))
        // As it would be written, so that what can't be is refused before it waits in a queue.
        let planned = try planned(source, shown, document, journal)
        write.notices = journal.notices
        write.report = { state in
            CountedReport(
                state, planned: planned.counts.named, doing: ("import", "imported"), player: shown
            ).answer
        }
        return .write(write)
    }

    private static func planned(
        _ source: LeagueSource, _ player: String, _ document: PracticeDocument, _ journal: OpenedPractice
    ) throws -> LeagueImport {
        let library = try journal.library
        do throws(WriteRejection) {
            return try source.scores(
                of: player, into: document, library: library, entry: IDGenerator.next(), at: Clock.now())
        } catch {
            let near = source.shownName(near: player).map { Cure("did you mean '\($0)'?") }
            throw FormatError(
                .recordInvalid, error.message,
                cure: near ?? [
                    "write the name as the table has it",
                    "\(verb: "validate") shows what is wrong with the table",
                ])
        }
    }
}

enum LeaguePurgeVerb: DeclaredVerb {
    private static let dryRun = Parameter<Bool>.dryRun("Only show what would be removed")

    static let verb = Verb(
        "purge", "Take what was imported from the league's table out of the journal",
        discussion:
            "League scores of one's own stay, with their rows; 'trace practice undo' puts the others back.",
        examples: ["--dry-run"], [DeclaredParameter](dryRun, .noQueue)
    ) { _, place in
        var write = Verb.Write(.leaguePurge, Arguments())
        let counts = try place.practice.map {
            try LeaguePurgeWrite.counts(of: $0.document.purgingLeagueImports())
        }
        write.report = { state in
            CountedReport(state, planned: counts ?? [], doing: ("remove", "removed")).answer
        }
        return .write(write)
    }
}

enum CanonicaliseVerb: DeclaredVerb {
    private static let dryRun = Parameter<Bool>.dryRun("Only show what would be changed")

    static let verb = Verb(
        "canonicalise", "Write every id of a game as the library has it", examples: ["--dry-run"],
        [DeclaredParameter](dryRun)
    ) { asked, place in
        guard let journal = try place.practice else { throw VerbPlace.away }
        let change = try Canonicalisation.change(of: journal.document, by: journal.library)
        let slots = try journal.slots.canonicalisation(by: journal.library)
        let count = change.replaced.count + change.members.count + slots.count
        let isPlan = asked[dryRun]
        guard count > 0 else { return .act(Act { _ in report(count, isPlan: isPlan) }) }
        var write = Verb.Write(.canonicalise, Arguments())
        write.mayWait = false
        write.report = { _ in report(count, isPlan: isPlan) }
        return .write(write)
    }

    private static func report(_ count: Int, isPlan: Bool) -> Answer {
        let json = JSONText.object { object in
            object.member("changes", DocumentNumber.json(count))
            object.member("done", JSONText(!isPlan))
        }
        let line =
            count == 0
            ? "nothing is to change: every id of a game is as the library has it"
            : "\(isPlan ? "would change" : "changed"): \(counted(count, "place"))"
        return Answer(.one { json }) { _ in [.lines([line])] }
    }
}

/// What an import or a purge has done, or would do.
private struct CountedReport {
    let answer: Answer

    /// - Parameters:
    ///   - planned: As the answer names them; what is expected.
    ///   - player: As people see the name.
    init(
        _ state: Verb.WriteState, planned: [(name: String, count: Int)],
        doing verb: (planned: String, done: String), player: String? = nil
    ) {
        var counts = planned
        let entry: ULID?
        var isQueued = false
        let action: String
        switch state {
        case .planned: (entry, action) = (nil, "would \(verb.planned)")
        case .waiting(let id): (entry, action, isQueued) = (id, "queued", true)
        case .written(let id, let applied):
            (entry, action) = (id, verb.done)
            for (index, count) in counts.enumerated() {
                let value = applied.details.first { $0.name == count.name }?.value
                counts[index].count = value.flatMap { Int(String(decoding: $0.bytes, as: UTF8.self)) } ?? 0
            }
        }
        let (told, waits) = (counts, isQueued)
        let json = JSONText.object { object in
            object.member("entry_id", entry.map { JSONText($0) })
            object.member("player", player.map { JSONText($0) })
            for (name, count) in told { object.member(name, DocumentNumber.json(count)) }
            object.member("done", JSONText(entry != nil && !waits))
            object.member("queued", JSONText(waits))
        }
        let line = "\(action): \(Self.text(told, player))".oneLine
        answer = Answer(.one { json }) { _ in [.lines([line])] }
    }

    private static func text(_ counts: [(name: String, count: Int)], _ player: String?) -> String {
        func list(_ counts: some Sequence<(name: String, count: Int)>) -> String {
            counts.map { "\($0.count) \($0.name)" }.joined(separator: ", ")
        }
        guard let player, let first = counts.first?.count else { return list(counts) }
        let others = counts.dropFirst().filter { $0.name != "repaired" || $0.count > 0 }
        return "\(counted(first, "score")) of \(player) (\(list(others)))"
    }
}

extension LeagueImport.Counts {
    /// As answers name them.
    var named: [(name: String, count: Int)] {
        [
            ("imported", imported), ("repaired", repaired), ("skipped", skipped), ("unmatched", unmatched),
        ]
    }
}
