internal import ArgumentParser
internal import TraceText

/// A command that is not about a single session, so `--session` has no effect.
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
            cure: ["omit it", "see \(option: "help") for the options"])
    }
}
