internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension CommandContext {
    /// Looks whether "now" is meant in a session that somebody seems to have forgotten to close.
    ///
    /// A person at a terminal is asked. Elsewhere, what names the session counts, with a warning; and where nothing does, no session is guessed.
    ///
    /// - Parameters:
    ///   - offset: What the moment was read as.
    /// - Returns: Why the moment is kept instead; nil if it is to be written.
    /// - Throws: ``CommandFailure`` if the answer was no, or if the moment may not be kept.
    func reasonToKeep(
        _ marked: MarkedMoment, at offset: SessionOffset, in target: WriteTarget
    ) throws -> UnplacedReason? {
        guard let place = target.place, marked.moment != nil,
            let forgotten = forgotten(
                place.session, in: { SessionReader(place.directory) }, now: marked.now)
        else { return nil }
        let name = SingleLine(
            target.session.displayTitle ?? place.path.lastComponent?.escaped ?? "", limit: 60)
        let state =
            "nothing has happened in session '\(name.text)' for \(forgotten.ageText), and it was never closed"
        let cure =
            "'trace session close \(place.path.escaped.asShellWord) --at last' ends it at its last record"
        let isNamed = selector(marked.session) != nil || workingDirectory.lies(in: place.path)
        if Confirmation.hasTerminal {
            Output.error("\(state); \(cure)")
            if Confirmation.isGiven(for: "mark at \(offset) in it?") { return nil }
        } else if isNamed {
            notice("warning: \(state); the mark is at \(offset) there; \(cure)")
            return nil
        }
        if isNamed || !marked.mayWait {
            throw CommandFailure(
                isNamed ? .negative : .noSession, isNamed ? "nothing was written" : state,
                cure: ["give another session with \(option: "session")", Cure.Way(stringLiteral: cure)])
        }
        return UnplacedReason(
            message: state,
            cure:
                "\(cure); 'trace unplaced place last \(place.path.escaped.asShellWord)' marks it there all the same"
        )
    }

    /// - Parameter open: Opens the session; asked only where its header alone makes it look so.
    /// - Returns: Nil if the session is no such one, or can't be read.
    func forgotten(
        _ session: Session, in open: () throws -> SessionReader, now: Timestamp = Clock.now()
    ) -> ForgottenSession? {
        ForgottenSession(reading: session, in: open, now: now, after: settings.staleAfter)
    }
}

extension IndexedSession {
    /// `Monday (/home/ann/music/monday)`
    var shownName: String { "\(listName.oneLine) (\(path.escaped))" }

    /// The command that ends it at its last record.
    var closing: String { "trace session close \(path.escaped.asShellWord) --at last" }
}
