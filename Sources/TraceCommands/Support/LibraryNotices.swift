internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Shows notices while an answer is computed.
final class LibraryNotices {
    private let context: CommandContext
    private var bar: (report: ProgressReport, total: Int)?

    init(_ context: CommandContext) { self.context = context }

    func show(_ notice: JournalLibrary.Notice) {
        switch notice {
        case .answered(let source): context.explain("answered from \(Self.text(source))")
        case .rootIsEmpty(let root):
            context.notice(
                "warning: \(root.escaped): empty, as if its disk were not mounted; "
                    + "its sessions are shown as they were last known")
        case .rootIsNew(let error):
            var report = error.report
            report.cure = Cure.openSession
            if context.settings.hasDefaultRoots {
                report.message = "nothing is set up yet"
                report.isCodeShown = false
            } else {
                report.cure =
                    Cure.openSession
                    + "; if this root is on a removable or network disk, mount the disk first"
            }
            context.notice("warning: \(report.text)")
        case .unreadable(let error): context.notice("warning: \(error)")
        case .indexIsNew(let reason): context.notice("warning: \(reason)")
        case .reading(left: 0):
            bar?.report.finish()
            bar = nil
        case .reading(let left):
            let shown = bar ?? (context.progress("reading \(counted(left, "session"))"), left)
            shown.report.update(1 - Double(left) / Double(shown.total))
            bar = shown
        }
    }

    private static func text(_ source: JournalLibrary.Source) -> String {
        switch source {
        case .index(lagging: 0): "the index"
        case .watchedIndex: "the index, which the daemon keeps up to date"
        case .index(let lagging):
            "the index; \(counted(lagging, "session")) were out of date and have been updated"
        case .indexOfSession(lagged: false): "the index"
        case .indexOfSession: "the index, which was out of date and has been updated"
        case .files(let reason): "the files: \(reason)"
        }
    }
}

extension CommandContext {
    /// All sessions below the roots; where a daemon watches them, it says what need not be compared.
    var library: JournalLibrary { library(watched: watched) }

    /// Asks the daemon what it knows of everything that was written before the call.
    var watched: @Sendable () -> WatchedRoots? {
        let (state, runtimeDirectory) = (settings.stateDirectory, settings.runtimeDirectory)
        return { DaemonQuestion.ask(state: state, runtimeDirectory: runtimeDirectory) }
    }

    /// All sessions below the roots, all of which are compared whenever they are asked about.
    var comparedLibrary: JournalLibrary { library(watched: nil) }

    private func library(watched: (@Sendable () -> WatchedRoots?)?) -> JournalLibrary {
        let notices = LibraryNotices(self)
        return JournalLibrary(
            roots: SessionRoots(settings.roots), stateDirectory: settings.stateDirectory,
            database: settings.indexDatabase, temporaryDirectory: temporaryDirectory,
            settleTime: settings.settleTime, watched: watched
        ) { notices.show($0) }
    }
}

extension FreshIndex {
    /// Says what could not be read, and where the cure is.
    ///
    /// - Throws: ``CommandFailure`` if there is any.
    func end() throws(CommandFailure) { try failures.map { CommandFailure($0) }.end() }
}
