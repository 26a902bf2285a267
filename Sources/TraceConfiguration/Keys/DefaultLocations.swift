internal import SystemPackage

/// Where things lie when nobody says where.
///
/// With a home directory the XDG base directories are used; without one (a system service) the machine's. Which of the
/// two is decided by the home directory and not by the user id, so that `sudo trace` does as the root shell would.
enum DefaultLocations {
    /// The session roots.
    static func roots(_ resolver: SettingsResolver) -> Resolved<[FilePath]> {
        let data = resolver.context.xdgDirectory("XDG_DATA_HOME", orInHome: ".local/share")
        return data?.map { [$0.appending("sessions")] }
            ?? Resolved(["/srv/trace/sessions"], from: .builtIn(from: nil))
    }

    /// The state directory.
    static func stateDirectory(_ resolver: SettingsResolver) -> Resolved<FilePath> {
        resolver.context.systemdDirectory("STATE_DIRECTORY")
            ?? resolver.context.xdgDirectory("XDG_STATE_HOME", orInHome: ".local/state")
            ?? Resolved("/var/lib/trace", from: .builtIn(from: nil))
    }

    /// The runtime directory.
    static func runtimeDirectory(_ resolver: SettingsResolver) -> Resolved<FilePath> {
        if let directory = resolver.context.systemdDirectory("RUNTIME_DIRECTORY") { return directory }
        if let base = resolver.context.absolutePath("XDG_RUNTIME_DIR") {
            return Resolved(base.appending("trace"), from: .builtIn(from: "XDG_RUNTIME_DIR"))
        }
        // That it can't be used is said of that key.
        let state = (try? resolver.resolve(TraceKeys.stateDirectory)) ?? stateDirectory(resolver)
        return Resolved(state.value.appending("run"), from: .builtIn(from: TraceKeys.stateDirectory.name))
    }
}
