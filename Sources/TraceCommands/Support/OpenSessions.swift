internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// The sessions below the roots that are open, for what nobody has said the session of.
struct OpenSessions {
    /// Those in which something has happened lately.
    private(set) var live: [SessionCandidate] = []
    /// Those that somebody seems to have forgotten to close.
    private(set) var forgotten: [(session: SessionCandidate, state: ForgottenSession)] = []
    /// All sessions, open or not.
    let all: [SessionCandidate]

    init(in context: CommandContext, now: Timestamp) {
        all = context.locator.candidates()
        for session in all where session.session.status == .active {
            if let state = session.forgotten(now: now, after: context.settings.staleAfter) {
                forgotten.append((session, state))
            } else {
                live.append(session)
            }
        }
    }

    /// Those that a moment of now may belong to, the live ones first.
    var choices: [SessionCandidate] { live + forgotten.map(\.session) }

    /// Asks the person which one is meant.
    ///
    /// - Returns: Nil if the answer is none of them.
    func chosen() -> SessionCandidate? {
        let choices = choices.prefix(Self.limit)
        let noun = choices.count == 1 ? "session is" : "sessions are"
        Output.error("\(choices.count) \(noun) open:")
        for (number, session) in zip(1..., choices) {
            let state = forgotten.first { $0.session == session }.map { ", nothing for \($0.state.ageText)" }
            Output.error("  \(number)  \(session.shownName)\(state ?? "")")
        }
        let answer = Confirmation.answer(
            to:
                "which one? [1\(choices.count > 1 ? "-\(choices.count)" : ""), or nothing to keep the moment for later] "
        )
        guard let number = answer.flatMap({ Int($0) }), choices.indices.contains(number - 1) else {
            return nil
        }
        return choices[number - 1]
    }

    /// How many are listed.
    private static let limit = 9

    /// Why none of them was chosen.
    func reason(for id: ULID, in context: CommandContext) -> UnplacedReason {
        let place = "'trace unplaced place \(id)"
        switch (live.count, forgotten.count) {
        case (0, 0):
            let roots = context.settings.roots.map(\.escaped).joined(separator: ", ")
            return UnplacedReason(
                message: "no session is open in \(roots)",
                cure: "\(Cure.openSession.text ?? ""); 'trace unplaced list' shows what is kept")
        case (0, _):
            let names = forgotten.prefix(3).map { "\($0.session.shownName) for \($0.state.ageText)" }
            return UnplacedReason(
                message: "nothing has happened in \(names.joined(separator: ", "))",
                cure: "\(place) SESSION' puts it into one of them all the same")
        default:
            let names = live.prefix(3).map(\.shownName).joined(separator: ", ")
            let more = live.count > 3 ? " and \(live.count - 3) more" : ""
            let first = live.first.map { SessionLocator.name(of: $0, among: all).asShellWord } ?? "SESSION"
            return UnplacedReason(
                message: "\(live.count) sessions are open: \(names)\(more)",
                cure: "\(place) \(first)' puts it into the first of them")
        }
    }
}

/// Why a moment is kept instead of going into a session.
struct UnplacedReason {
    let message: String
    /// What the person can do then.
    let cure: String
}

extension SessionCandidate {
    /// What messages call it.
    var shownName: String { session.shownName(at: path) }

    /// The command that ends it.
    func closing(isForgotten: Bool) -> String {
        "trace session close \(path.escaped.asShellWord)\(isForgotten ? " --at last" : "")"
    }
}
