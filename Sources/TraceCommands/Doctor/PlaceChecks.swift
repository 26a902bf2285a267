internal import TraceAccess
internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Checks that the settings are consistent.
enum ConfigurationChecks {
    static func all(_ context: CommandContext) -> [HealthCheck] {
        let settings = context.settings
        let files = settings.files.map(\.escaped).joined(separator: ", ")
        var checks = [
            HealthCheck(.ok, "configuration", files.isEmpty ? "no file; built-in defaults" : files),
            zone(context),
        ]
        for root in settings.roots where holds(root, settings.stateDirectory) {
            checks.append(
                HealthCheck(
                    .problem, "configuration",
                    "the state directory \(settings.stateDirectory.escaped) is in the root \(root.escaped)",
                    cure: "set state_directory to a place that is not synchronized"))
        }
        return checks
    }

    /// Whether a place is in a root, whichever links lead there.
    private static func holds(_ root: FilePath, _ place: FilePath) -> Bool {
        place.starts(with: root)
            || PathCheck.resolved(PlaceCheck.nearest(above: place))?.starts(
                with: PathCheck.resolved(root) ?? root) == true
    }

    /// In which zone people read and write times.
    private static func zone(_ context: CommandContext) -> HealthCheck {
        let machine = context.settings.timeZone == nil ? ZoneFiles.machine : nil
        if let problem = machine?.problem {
            return HealthCheck(
                .warning, "zone", "times are in UTC: \(machine?.origin ?? ""): \(problem.headline)",
                cure: "set time_zone, or the machine's (timedatectl set-timezone)")
        }
        do {
            let zone = try machine?.rules ?? context.zone
            let now = zone.offset(at: Clock.now()).label
            let place = machine.map { $0.origin ?? "no /etc/localtime" } ?? TraceKeys.timeZone.name
            return HealthCheck(
                .ok, "zone", "\(zone.name)\(now == zone.name ? "" : " (\(now))"), from \(place)")
        } catch {
            return HealthCheck(.problem, "zone", failure: error)
        }
    }
}

/// Checks that the directories exist, are usable, and have free space.
enum PlaceChecks {
    static func all(_ settings: TraceSettings, _ sessions: DoctorSessions) -> [HealthCheck] {
        settings.roots.map { root($0, isDefault: settings.hasDefaultRoots, sessions) } + [
            state(settings),
            own("runtime", settings.runtimeDirectory, "runtime_directory"),
        ] + settings.spools.dropFirst().map(spool)
    }

    private static func root(
        _ path: FilePath, isDefault: Bool, _ all: DoctorSessions
    ) -> HealthCheck {
        guard let place = PlaceCheck(of: path) else {
            if isDefault {
                return HealthCheck(
                    .warning, "root", "\(path.escaped): nothing is set up yet", cure: Cure.openSession.text)
            }
            return HealthCheck(
                .problem, "root", "\(path.escaped) does not exist",
                cure: (Cure.openSession + "; or mount its disk, or correct roots").text)
        }
        guard place.isReadable else { return forbidden("root", path, "read") }
        guard place.isWritable else { return unwritable("root", path, place) }
        return withRoom("root", path, place, "\(path.escaped): \(all.text(in: path))")
    }

    private static func spool(_ path: FilePath) -> HealthCheck {
        guard let place = PlaceCheck(of: path) else {
            return HealthCheck(
                .warning, "spool", "\(path.escaped) does not exist",
                cure: "have its device deliver something, or correct spools")
        }
        guard place.isReadable, place.isWritable else {
            return place.isMountedReadOnly
                ? unwritable("spool", path, place) : forbidden("spool", path, "empty")
        }
        return HealthCheck(.ok, "spool", path.escaped)
    }

    /// The state directory, whose place strangers must not be able to give to another, with tokens of theirs.
    private static func state(_ settings: TraceSettings) -> HealthCheck {
        let state = settings.stateDirectory
        let found = own("state", state, "state_directory")
        guard found.verdict != .problem,
            let error = StateDirectoryCheck.exposure(of: state, isShared: settings.stateShared)
        else { return found }
        return HealthCheck(.problem, "state", failure: error)
    }

    /// A directory of ours, which is made when it is needed.
    private static func own(_ subject: String, _ path: FilePath, _ key: String) -> HealthCheck {
        let nearest = PlaceCheck.nearest(above: path)
        guard let place = PlaceCheck(of: nearest) else {
            return HealthCheck(
                .problem, subject, "\(nearest.escaped) is not a directory",
                cure: "move it away, or set \(key) to another place")
        }
        guard place.isWritable, place.isReadable else {
            if place.isMountedReadOnly { return unwritable(subject, nearest, place) }
            return HealthCheck(
                .problem, subject, "this user can't write to \(nearest.escaped)",
                cure: "give the user write permission, or set \(key) to a directory where they have it")
        }
        if let status = try? OpenDirectory(nearest).status(), nearest == path, status.permissions & 0o002 != 0
        {
            return HealthCheck(
                .problem, subject,
                "every user may write to \(path.escaped), and so change what this one does",
                cure: "chmod o-w \(path.escaped); users who share it belong to one group (chmod 2770)")
        }
        return withRoom(subject, path, place, path.escaped)
    }

    private static func forbidden(_ subject: String, _ path: FilePath, _ what: String) -> HealthCheck {
        HealthCheck(
            .problem, subject, "this user can't \(what) \(path.escaped)",
            cure: "give the user the right to (chmod, setfacl), e.g. by a group that both belong to")
    }

    private static func unwritable(
        _ subject: String, _ path: FilePath, _ place: PlaceCheck
    ) -> HealthCheck {
        guard place.isMountedReadOnly else { return forbidden(subject, path, "write to") }
        return HealthCheck(
            .problem, subject, "\(path.escaped) is mounted read-only: nobody can write there",
            cure: "check 'dmesg' for disk errors that made the kernel do that; if there are none, "
                + "mount -o remount,rw $(findmnt -n -o TARGET -T \(path.string.asShellWord)), and correct /etc/fstab"
        )
    }

    private static func withRoom(
        _ subject: String, _ path: FilePath, _ place: PlaceCheck, _ message: String
    ) -> HealthCheck {
        guard let free = place.freeBytes else { return HealthCheck(.ok, subject, message) }
        let room = free >= 10 << 30 ? "\(free >> 30) GiB free" : "\(free >> 20) MiB free"
        let verdict: HealthCheck.Verdict = free < 32 << 20 ? .problem : free < 1 << 30 ? .warning : .ok
        let cure = "free some space on the file system of \(path.escaped)"
        return HealthCheck(
            verdict, subject, "\(message), \(room)", cure: verdict == .ok ? nil : cure)
    }
}
