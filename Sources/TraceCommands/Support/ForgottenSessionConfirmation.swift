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
    /// Asks whether "now" is meant in a session that somebody forgot to close.
    ///
    /// Without a terminal nobody is asked, for what was marked must not be lost; then a warning tells it.
    ///
    /// - Parameters:
    ///   - typed: The offset as it was typed.
    ///   - offset: What it was read as.
    /// - Throws: ``CommandFailure`` if the answer was no.
    func confirmIntended(_ typed: String, at offset: SessionOffset, in target: WriteTarget, now: Timestamp)
        throws
    {
        guard let place = target.place, OffsetExpression.isPresent(typed),
            let forgotten = forgotten(place.session, in: { SessionReader(place.directory) }, now: now)
        else { return }
        let name = SingleLine(
            target.session.displayTitle ?? place.path.lastComponent?.escaped ?? "", limit: 60)
        let state =
            "nothing has happened in session '\(name.text)' for \(forgotten.ageText), and it was never closed"
        let cure =
            "'trace session close \(place.path.escaped.asShellWord) --at last' ends it at its last record"
        guard Confirmation.hasTerminal else {
            return notice("warning: \(state); the mark is at \(offset) there; \(cure)")
        }
        Output.error("\(state); \(cure)")
        guard Confirmation.isGiven(for: "mark at \(offset) in it?") else {
            throw CommandFailure(
                .negative, "nothing was written", cure: "give another session with \(option: "session")")
        }
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

extension OffsetExpression {
    /// Whether what was typed counts from the present.
    fileprivate static func isPresent(_ typed: String) -> Bool {
        switch try? OffsetExpression(typed) {
        case .now, .beforeNow: true
        default: false
        }
    }
}
