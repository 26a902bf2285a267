internal import RecordFormat
internal import TraceStore
internal import TraceText

/// Switches on and off that a player's scores come from the league's table by themselves.
enum LeagueAutoFillVerb: DeclaredVerb {
    private enum State: String, CaseIterable { case on, off }

    private static let state = Parameter<State?>(
        "state", "on or off; without it, which of them it is", as: .argument)
    private static let dryRun = Parameter<Bool>.dryRun("Only show what it would be, and would import now")

    static let verb = Verb(
        "autofill", "Have league scores imported by themselves, or not",
        discussion: """
            It is off until it is switched on. While it is on, traced looks when it starts and then each hour, and imports the scores of the \
            player whose journal it is as 'trace practice league import' does, if the table has any that the journal lacks. An import \
            that is taken back is made again when the table has changed.
            """, examples: ["", "on --dry-run", "on", "off"], [DeclaredParameter](state, dryRun, .noQueue)
    ) { asked, place in
        guard let journal = try place.practice else { throw VerbPlace.away }
        let isOn = try journal.slots.fillsLeague
        let wanted = asked[state].map { $0 == .on }
        let counts = try planned(journal, place.namedZone)
        guard let wanted, wanted != isOn else {
            return .act(Act { _ in answer(wanted ?? isOn, counts, isDone: false) })
        }
        var write = Verb.Write(
            .slots,
            Arguments().setting(
                SlotsWrite.slots,
                to: .object([
                    .init(ResumeSlots.Slot.leagueAutoFill.rawValue, .text(wanted ? ResumeSlots.on : ""))
                ])))
        write.report = { state in
            if case .planned = state { return answer(wanted, counts, isDone: false) }
            return answer(wanted, counts, isDone: true)
        }
        return .write(write)
    }

    /// What an import would bring now; nil without a table of scores, or a player who is in it.
    private static func planned(_ journal: OpenedPractice, _ zone: String?) throws -> LeagueImport.Counts? {
        guard let source = try journal.leagueSource(zone: zone) else { return nil }
        let (document, library) = (try journal.document, try journal.library)
        return try? source.scores(
            of: nil, into: document, library: library, entry: IDGenerator.next(), at: Clock.now()
        ).counts
    }

    private static func answer(_ isOn: Bool, _ counts: LeagueImport.Counts?, isDone: Bool) -> Answer {
        let json = JSONText.object { object in
            object.member("on", JSONText(isOn))
            for (name, count) in counts?.named ?? [] { object.member(name, DocumentNumber.json(count)) }
            object.member("done", JSONText(isDone))
        }
        let waiting = counts.map { $0.imported + $0.repaired }
        let detail =
            waiting.map { "\(counted($0, "score")) to import" } ?? "no scores of the player in a table"
        return Answer(.one { json }) { _ in [.lines(["auto-fill \(isOn ? "on" : "off"): \(detail)"])] }
    }
}
