internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceWatch

/// Checks limits of the system, and its clock.
enum SystemChecks {
    static func all(_ context: CommandContext, _ sessions: DoctorSessions) -> [HealthCheck] {
        let zone = (try? context.zone) ?? .utc
        return [watches(context.settings, sessions), instances(), clock(sessions, zone)] + synchronization()
    }

    // MARK: - inotify

    private static func watches(_ settings: TraceSettings, _ sessions: DoctorSessions) -> HealthCheck {
        guard let limit = number("max_user_watches") else { return unknown }
        // A session has its directory and its media/; the roots and the directories between them are few.
        let needed = settings.roots.reduce(0) { $0 + 2 * sessions.count(in: $1) + 1 }
        let message = "fs.inotify.max_user_watches is \(limit); about \(needed) are needed here"
        guard limit < needed * 2 else { return HealthCheck(.ok, "inotify", message) }
        let wanted = max(524_288, needed * 4)
        return HealthCheck(
            limit < needed ? .problem : .warning, "inotify", message,
            cure:
                "sysctl fs.inotify.max_user_watches=\(wanted), and put that into /etc/sysctl.d/50-inotify.conf"
        )
    }

    private static func instances() -> HealthCheck {
        guard let limit = number("max_user_instances") else { return unknown }
        let message = "fs.inotify.max_user_instances is \(limit)"
        guard limit < 16 else { return HealthCheck(.ok, "inotify", message) }
        return HealthCheck(
            .warning, "inotify", message,
            cure: "sysctl fs.inotify.max_user_instances=128, and put that into /etc/sysctl.d/50-inotify.conf")
    }

    private static let unknown = HealthCheck(
        .warning, "inotify", "its limits can't be read", cure: "mount /proc, or run outside of the sandbox")

    private static func number(_ name: FilePath.Component) -> Int? {
        SystemFile.number(FilePath("/proc/sys/fs/inotify").appending(name))
    }

    // MARK: - Clock

    /// So far two clocks may differ.
    private static let tolerance = SessionOffset(milliseconds: 300_000)

    /// Nothing where the kernel does not tell.
    private static func synchronization() -> [HealthCheck] {
        switch ClockState.isSynchronized {
        case nil: []
        case true?: [HealthCheck(.ok, "time", "a time service keeps the clock synchronized")]
        case false?:
            [
                HealthCheck(
                    .warning, "time", "no time service synchronizes the clock: marks may get wrong times",
                    cure: "apt install systemd-timesyncd (or chrony), then timedatectl set-ntp true")
            ]
        }
    }

    private static func clock(_ sessions: DoctorSessions, _ zone: ZoneRules) -> HealthCheck {
        let now = Clock.now()
        let cure = "set the clock (timedatectl set-ntp true), here or on the device that wrote it"
        guard let earliest = Timestamp("2025-01-01T00:00:00Z"), now >= earliest else {
            return HealthCheck(
                .problem, "clock", "it shows \(zone.secondText(now)), which is impossible", cure: cure)
        }
        guard let ahead = sessions.session(updatedAfter: now.adding(tolerance)) else {
            return HealthCheck(.ok, "clock", zone.secondText(now))
        }
        return HealthCheck(
            .warning, "clock",
            "it shows \(zone.secondText(now)), but \(ahead.path.escaped) was changed at "
                + zone.secondText(ahead.updatedAt),
            cure: cure)
    }
}
