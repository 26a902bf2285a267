internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension Session {
    /// What messages call a session: its title and its directory, or that alone.
    func shownName(at path: FilePath) -> String {
        displayTitle.map { "\($0.oneLine) (\(path.escaped))" } ?? path.escaped
    }
}

extension CommandContext {
    /// Names the session that has been written into, so that nobody takes it for another one, and says where a daemon runs
    /// that does not watch it.
    func notice(writtenInto target: SessionTarget) {
        guard !isQuiet else { return }
        notice("in \(target.session.shownName(at: target.path))")
        // Of what is in none of the roots nobody expects that it is watched.
        guard let root = roots.root(of: target.path),
            let daemon = RunningDaemon.quickStatus(state: settings.stateDirectory),
            daemon.ignores(target.path)
        else { return }
        notice("warning: the daemon does not watch \(root.escaped); 'trace doctor' says how to fix that")
    }

    /// Prints whether the record was written or queued.
    ///
    /// - Returns: Whether it waits in the queue.
    func notice(of outcome: WriteOutcome) -> Bool {
        switch outcome {
        case .written(let target, let notices):
            notice(writtenInto: target)
            for text in notices { notice("warning: \(text)") }
            return false
        case .queued(let pending, let reason):
            notice("queued (\(pending) pending): \(reason)")
            return true
        }
    }
}
