internal import Glibc
internal import Synchronization
internal import SystemPackage

/// A request by the user or the system to end this process: checked between the steps of long work, so that nothing half-done
/// is left.
enum Interruption {
    private static let isAskedFor = Atomic(false)

    /// Whether a signal asks us to end.
    static var isAsked: Bool { isAskedFor.load(ordering: .relaxed) }

    /// From now on an interrupt is noted instead of ending the process. The programs that are run have groups of their own,
    /// so a terminal's interrupt reaches us alone; we hand it on.
    static func installHandlers() {
        isAskedFor.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { _ in Interruption.isAskedFor.store(true, ordering: .relaxed) }
        }
    }

    /// Ends work by its error where that is asked for.
    static func check() throws(Errno) {
        if isAsked { throw .canceled }
    }
}
