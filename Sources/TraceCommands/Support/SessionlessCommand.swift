internal import ArgumentParser

/// A command that is about no single session, so that `--session` would have no effect.
protocol SessionlessCommand: ParsableCommand {
    var global: GlobalOptions { get }
}

extension SessionlessCommand {
    /// Refuses `--session`; what is in `TRACE_SESSION` is for other commands.
    ///
    /// - Throws: ``CommandFailure`` with `.usage`.
    func refuseSession() throws(CommandFailure) {
        guard global.session != nil else { return }
        throw CommandFailure(
            .usage, "--session has no effect on this command",
            hint: "omit it; see --help for the options")
    }
}
