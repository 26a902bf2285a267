internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceText

extension CommandContext {
    /// Warns where a new journal is below none of the roots.
    ///
    /// - Parameters:
    ///   - consequence: What comes of that: `'trace mark' finds it only if the session is given`.
    ///   - noun: What is made below a root instead: `sessions`.
    func warnIfOutsideRoots(_ path: FilePath, _ consequence: String, _ noun: String) {
        guard !roots.find(path) else { return }
        let names = settings.roots.map(\.escaped).joined(separator: ", ")
        warn(
            "it is below none of the roots (\(names)): \(consequence)",
            cure: Cure(
                "add the directory above it to 'roots' in the configuration, or create \(noun) below a root"))
    }
}
