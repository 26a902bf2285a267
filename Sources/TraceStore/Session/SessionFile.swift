package import SystemPackage
internal import TraceFiles
internal import TraceFormat

extension OpenDirectory {
    /// Whether a write to `name` would land on a file of a session: one that the format names, where a `session.json` lies,
    /// or one that is there in a session's directory of media. Symbolic links are followed.
    ///
    /// - Throws: ``FileError`` as of a write to a link that leads nowhere.
    package func holdsSessionFile(_ name: FilePath.Component) throws -> Bool {
        let place = try finalPlace(of: name)
        let header = RecordKind.session.component
        if try place.directory.statusIfPresent(of: header, followingLinks: true) != nil {
            return SessionLayout.files.contains(place.name.escaped)
        }
        guard try place.directory.statusIfPresent(of: place.name, followingLinks: false) != nil,
            // A directory above that may not be read can't be a session of this user.
            let above = try? place.directory.followDirectory(".."),
            try above.statusIfPresent(of: header, followingLinks: true) != nil,
            let media = FilePath.Component(SessionLayout.media),
            let own = try above.statusIfPresent(of: media, followingLinks: true)
        else { return false }
        return try own.identity.isSameFile(as: place.directory.status().identity)
    }
}
