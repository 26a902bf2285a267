internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore

/// Checks that the daemon starts at boot.
enum UnitChecks {
    /// A unit of systemd, and whether it is started with its target.
    struct Unit: Equatable {
        var file: FilePath
        var isOfUser: Bool
        var isEnabled: Bool

        /// `systemctl`, or `systemctl --user`.
        var control: String { isOfUser ? "systemctl --user" : "systemctl" }
    }

    private static let system: [FilePath] = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system",
    ]
    private static let users: [FilePath] = [
        "/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user",
    ]

    /// The units that are installed, the one first that is enabled.
    static func installed(home: FilePath?) -> [Unit] {
        let own = home.map { $0.pushing(".config/systemd/user") }
        let wanted: [(places: [FilePath], target: String, isOfUser: Bool)] = [
            (system, "multi-user.target.wants", false),
            ([own].compactMap(\.self) + users, "default.target.wants", true),
        ]
        let units = wanted.compactMap { places, target, isOfUser -> Unit? in
            guard let file = places.map({ $0.appending("traced.service") }).first(where: PathCheck.exists)
            else {
                return nil
            }
            // What `systemctl enable` does is to make such a link.
            let isEnabled = places.contains {
                PathCheck.exists($0.appending(target).appending("traced.service"))
            }
            return Unit(file: file, isOfUser: isOfUser, isEnabled: isEnabled)
        }
        return units.filter(\.isEnabled) + units.filter { !$0.isEnabled }
    }

    /// - Returns: Nil if no unit is installed, of which the check of the daemon tells.
    static func check(_ units: [Unit]) -> HealthCheck? {
        guard let unit = units.first else { return nil }
        let kind = unit.isOfUser ? "the user's unit" : "unit"
        guard unit.isEnabled else {
            return HealthCheck(
                .warning, "unit",
                "\(kind) \(unit.file.escaped) is not enabled: traced does not start at boot",
                cure: "\(unit.control) enable --now traced, one or the other")
        }
        return HealthCheck(.ok, "unit", "\(kind) \(unit.file.escaped) is enabled")
    }
}
