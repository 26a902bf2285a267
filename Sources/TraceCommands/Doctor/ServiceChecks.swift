internal import SystemPackage
internal import TraceConfiguration
internal import TraceIndex
internal import TraceStore

/// The index, the queue and the daemon.
enum ServiceChecks {
    static func all(_ workplace: Workplace) -> [HealthCheck] {
        [index(workplace.settings), queue(workplace.queue), daemon(workplace.settings)]
    }

    private static func index(_ settings: TraceSettings) -> HealthCheck {
        let path = settings.indexDatabase
        do {
            let index = try SessionIndex(readingAt: path)
            let count = try index.sessions().count
            return HealthCheck(.ok, "index", "\(path.escaped): \(counted(count, "session"))")
        } catch let error as IndexError where error.code == .notFound {
            return HealthCheck(.ok, "index", "none yet; the first question makes it")
        } catch {
            return HealthCheck(.problem, "index", failure: "\(error)")
        }
    }

    private static func queue(_ queue: QueueDirectories) -> HealthCheck {
        do {
            let waiting = try queue.spools.reduce(0) { try $0 + $1.files().count }
            let failed = try Spool(queue.failed).files().count
            guard failed > 0 else { return HealthCheck(.ok, "queue", "\(waiting) waiting") }
            return HealthCheck(
                .warning, "queue", "\(waiting) waiting, \(failed) refused",
                cure: "look at 'trace queue list --all', then 'trace queue retry ID' or 'trace queue drop ID'"
            )
        } catch {
            return HealthCheck(.problem, "queue", failure: "\(error)")
        }
    }

    // MARK: - Daemon

    private static func daemon(_ settings: TraceSettings) -> HealthCheck {
        let unit = unitFile()
        if let daemon = RunningDaemon(state: settings.stateDirectory) {
            let state = daemon.isReady ? "running" : "still scanning"
            guard daemon.polledCount > 0 else {
                let name = unit.map { ", unit \($0.escaped)" } ?? ""
                return HealthCheck(.ok, "daemon", "\(state) (process \(daemon.process))\(name)")
            }
            return HealthCheck(
                .warning, "daemon",
                failure: "\(state), but \(daemon.polledCount) directories are polled: \(daemon.problem ?? "")"
            )
        }
        guard let unit else {
            return HealthCheck(
                .warning, "daemon", "not running, and no systemd unit is installed",
                cure: "install the units (make install), or run 'traced' by hand")
        }
        let isOfUser = unit.string.contains("/user/")
        return HealthCheck(
            .warning, "daemon", "not running on this state directory; unit \(unit.escaped)",
            cure:
                "systemctl \(isOfUser ? "--user " : "")enable --now traced; 'systemctl status traced' tells why it ended"
        )
    }

    private static func unitFile() -> FilePath? {
        let places: [FilePath] = [
            "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
            "/lib/systemd/system", "/etc/systemd/user", "/usr/local/lib/systemd/user",
            "/usr/lib/systemd/user",
        ]
        return places.first { directory in
            ((try? OpenDirectory(directory).statusIfPresent(of: "traced.service", followingLinks: true))
                ?? nil) != nil
        }?.appending("traced.service")
    }
}
