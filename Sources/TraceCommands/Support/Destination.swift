internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Where something goes that a person marks.
///
/// Source: docs/command-line.md#which-session.
enum Destination {
    /// - Parameter isChosen: Whether the person at the terminal has just said so.
    case session(WriteTarget, isChosen: Bool)
    /// The moment is kept until its session is known.
    case unplaced((ULID) -> UnplacedReason)
}

/// How something is marked: where, when, and whether it may wait.
struct MarkedMoment {
    /// The command's own argument for the session.
    let session: String?
    /// As it was typed, or `now`.
    let offset: String
    /// The moment of the command.
    let now: Timestamp
    /// Whether it may wait, for a session that can't be written or is not known.
    let mayWait: Bool

    /// The moment that is meant; nil if it is a place in a session.
    var moment: Timestamp? { (try? OffsetExpression(offset))?.moment(now: now) }
}

extension CommandContext {
    /// Where what is marked goes.
    ///
    /// - Throws: ``StoreError`` with `.noSuchSession` or `.ambiguousSession` where it can't be kept, ``CommandFailure`` with what to run
    ///   instead (``SessionChoiceHint``); ``ConfigurationError``; ``FileError``.
    func destination(of marked: MarkedMoment) throws -> Destination {
        let selector = selector(marked.session)
        if let mistake = reportMistakes(for: selector) {
            guard marked.moment != nil, marked.mayWait else { throw mistake }
            return .unplaced { _ in UnplacedReason(mistake) }
        }
        do {
            return .session(
                try WriteTarget(
                    selector, from: workingDirectory, in: libraryWriter, mayBeAbsent: marked.mayWait,
                    takesBeginnings: marked.session == nil), isChosen: false)
        } catch let error as StoreError
            where selector == nil && [.noSuchSession, .ambiguousSession].contains(error.code)
        {
            guard marked.moment != nil else {
                throw SessionChoiceHint(context: self, offset: marked.offset, now: marked.now).failure(error)
            }
            let open = OpenSessions(in: self, now: marked.now)
            if Confirmation.hasTerminal, !open.choices.isEmpty, let chosen = open.chosen() {
                return .session(WriteTarget(try SessionTarget(reading: chosen.path)), isChosen: true)
            }
            guard marked.mayWait else {
                throw SessionChoiceHint(context: self, offset: marked.offset, now: marked.now).failure(error)
            }
            return .unplaced { open.reason(for: $0, in: self) }
        }
    }

    /// Says what is wrong with the configuration, as far as that does not matter for marking.
    ///
    /// - Returns: What does.
    private func reportMistakes(for selector: SessionSelector?) -> ConfigurationError? {
        guard !mistakes.isEmpty else { return nil }
        let isPath = if case .directory? = selector { true } else { false }
        // Where the session is known by its directory, no root is needed.
        let isFound = isPath || selector == nil && locator.isInSession(workingDirectory)
        let needed: [any SettingDeclaration] = [TraceKeys.roots, TraceKeys.stateDirectory]
        if !isFound, let mistake = mistakes.first(where: { $0.mayConcern(needed) }) { return mistake.error }
        for mistake in mistakes { notice("warning: \(mistake.error.report.text)") }
        return nil
    }

    /// Whether the configuration can't say where things are.
    var isUnconfigured: Bool {
        mistakes.contains { $0.mayConcern([TraceKeys.roots, TraceKeys.stateDirectory]) }
    }

    /// Says that a moment is kept, and why.
    func notice(kept id: ULID, since reason: UnplacedReason) {
        notice("kept: \(reason.message)\n  hint: \(reason.cure)")
    }
}

extension UnplacedReason {
    /// A mistake in the configuration.
    fileprivate init(_ mistake: ConfigurationError) {
        let report = mistake.report
        self.init(
            message: "the configuration can't be used: \(report.headline)",
            cure: (report.hint.map { "\($0); " } ?? "")
                + "'trace config check' tells all that is wrong, 'trace unplaced list' shows what is kept")
    }
}
