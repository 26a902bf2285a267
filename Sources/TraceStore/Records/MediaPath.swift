package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Paths in `media_path` and `media[].path`.
package enum MediaPath {
    /// The components of the file that a path names, or nil when it is absolute, empty, climbs with `..`, or can name no file but only
    /// a directory.
    ///
    /// As the kernel goes, `media//n` and `media/./n` are the file `media/n`, and `media/n/` and `media/n/.` are not.
    ///
    /// Source: path_resolution(7).
    package static func components(of path: String) -> [FilePath.Component]? {
        namesDirectory(path) ? nil : inside(path)
    }

    /// Whether a path stays inside of the session, but ends so that only a directory can be meant: `media/n/`, `media/n/.`.
    static func namesDirectory(_ path: String) -> Bool {
        (path.hasSuffix("/") || path.hasSuffix("/.")) && inside(path) != nil
    }

    /// The path to which a file is written that a record is to name so.
    ///
    /// - Parameter session: The session's directory, for the message.
    /// - Throws: ``FileError`` with `.invalidData` if no session can have a file there: the path leaves `media/`, or can only name a
    ///   directory.
    static func forWriting(_ path: String, in session: FilePath? = nil) throws -> FilePath {
        // FilePath drops a slash at the end, and with it what the record would say.
        guard !namesDirectory(path) else {
            throw FileError(
                .invalidData, "media path '\(path)' ends with a slash", path: session,
                cure: "use a path below media/ without a trailing slash")
        }
        let file = FilePath(path)
        _ = try OpenDirectory.mediaNames(of: file, in: session)
        return file
    }

    /// The shortest spelling of a path: `media/n` for `media//n` and `media/./n`; one that names no file of the session stays as it is.
    static func plain(_ path: String) -> String {
        components(of: path)?.map(\.string).joined(separator: "/") ?? path
    }

    private static func inside(_ path: String) -> [FilePath.Component]? {
        guard !path.utf8.contains(0) else { return nil }
        let parsed = FilePath(path)
        let components: [FilePath.Component] = parsed.components.filter { $0.kind != .currentDirectory }
        guard parsed.isRelative, !components.isEmpty, components.allSatisfy({ $0.kind == .regular }) else {
            return nil
        }
        return components
    }
}
