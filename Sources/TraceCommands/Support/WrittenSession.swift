internal import SystemPackage
internal import TraceFormat
internal import TraceStore

extension Workplace {
    /// Names the session that has been written into, so that nobody takes it for another one, and says where a daemon runs
    /// that does not watch it.
    func notice(writtenInto target: SessionTarget) {
        guard !isQuiet else { return }
        let path = target.path.escaped
        notice("in \(target.session.displayTitle.map { "\($0.oneLine) (\(path))" } ?? path)")
        // Of what lies in none of the roots nobody expects that it is watched.
        guard let root = root(of: target.path),
            let daemon = RunningDaemon.glance(state: settings.stateDirectory), daemon.ignores(target.path)
        else { return }
        notice("warning: the daemon does not watch \(root.escaped); 'trace doctor' tells the cure")
    }
}
