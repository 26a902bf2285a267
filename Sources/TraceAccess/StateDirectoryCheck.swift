internal import Glibc
package import SystemPackage
internal import TraceFiles
package import TraceText

/// Whether somebody else could put another directory in the place of the state directory, and with it tokens of their own.
///
/// For that it is enough to be able to rename it, or a directory above it: where others may write, unless the directory is sticky, and in
/// what belongs to another user, who can let themselves in at any time. The group may: it shares the state directory on purpose
/// (docs/decisions/0005-a-shared-directory-is-known-by-its-mode.md).
package enum StateDirectoryCheck {
    /// Looks at each directory on the way to the state directory, as the kernel goes, and at it.
    ///
    /// - Parameter users: Who else than root may own them: the daemon's user.
    /// - Throws: ``AccessError`` with `.accessExposed` for the first that lets others in; why one can't be looked at. A directory that does not
    ///   exist has no tokens.
    /// - Complexity: An lstat(2) for each directory.
    static func require(_ state: FilePath, of users: Set<UInt32> = [geteuid()]) throws {
        let trusted = users.union([0])
        var place: FilePath = "/"
        var rest = Array(state.components.reversed())
        var linksLeft = 40
        if let root = try? FileStatus(of: place) { try check(root, at: place, trusted) }
        while let name = rest.popLast() {
            switch name.kind {
            case .currentDirectory: continue
            case .parentDirectory:
                place.removeLastComponent()
                continue
            case .regular: break
            }
            let next = place.appending(name)
            let status: FileStatus
            do throws(Errno) { status = try FileStatus(of: next, followingLinks: false) } catch {
                if error == .noSuchFileOrDirectory { return }
                throw FileError("read the status", next, error)
            }
            guard status.kind == .symbolicLink else {
                try check(status, at: next, trusted)
                place = next
                continue
            }
            // Who owns a link can exchange it, also in a directory that is sticky.
            try check(owner: status, at: next, trusted)
            linksLeft -= 1
            guard linksLeft > 0, let target = target(of: name, in: place) else {
                throw FileError("follow the link", next, Errno(rawValue: ELOOP))
            }
            if target.isAbsolute { place = "/" }
            rest += target.components.reversed()
        }
    }

    /// Why no token counts where the state directory is as it is.
    ///
    /// - Parameter isShared: Whether tokens count all the same.
    /// - Returns: Nil also where there is none yet.
    package static func exposure(of state: FilePath, isShared: Bool) -> (any StructuredError)? {
        guard !isShared, let status = try? FileStatus(of: state) else { return nil }
        // Whose the directory is, by that user the daemon runs.
        do { try require(state, of: [geteuid(), status.owner]) } catch { return error.structured }
        return nil
    }

    private static func target(of name: FilePath.Component, in directory: FilePath) -> FilePath? {
        (try? OpenDirectory(directory).linkTarget(of: name)) ?? nil
    }

    private static func check(
        _ status: FileStatus, at path: FilePath, _ trusted: Set<UInt32>
    ) throws {
        let (othersWrite, isSticky) = (status.permissions & 0o002 != 0, status.permissions & 0o1000 != 0)
        guard othersWrite, !isSticky else { return try check(owner: status, at: path, trusted) }
        throw AccessError(
            .accessExposed, "everybody on this machine may write here, and so replace the tokens",
            path: path,
            cure:
                "close it: chmod o-w; if its mode can't be changed, and nobody else can reach it, set state_shared to yes"
        )
    }

    private static func check(
        owner status: FileStatus, at path: FilePath, _ trusted: Set<UInt32>
    ) throws {
        guard !trusted.contains(status.owner) else { return }
        throw AccessError(
            .accessExposed, "belongs to another user (\(status.owner)), who can therefore replace the tokens",
            path: path,
            cure:
                "give it to root or to the daemon's user (chown), or set state_shared to yes if that user may grant access"
        )
    }
}
