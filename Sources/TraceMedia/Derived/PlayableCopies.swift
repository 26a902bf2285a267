internal import Glibc
package import SystemPackage
package import TraceFiles

/// Copies of recordings for players that can't play them as they are: `copies/` in the state directory. It may be deleted at any time.
///
/// A copy is that of one state of one file. What was recorded stays as it is.
package struct PlayableCopies: MediaProduct {
    private let files: DerivedFiles

    /// - Parameter byteLimit: How many bytes they have together at most; those that were used longest ago go.
    package init(state: FilePath, byteLimit: Int64 = 512 << 20) {
        // How long a copy will be is not known before.
        files = DerivedFiles(
            state.appending("copies"), fileExtension: "m4a", byteLimit: byteLimit, headroom: byteLimit / 2)
    }

    /// Where the copies are, and how the one of a file in this state is called; nil if it was not made.
    package func copy(of identity: FileIdentity) -> (directory: OpenDirectory, name: FilePath.Component)? {
        files.file(identity)
    }

    package func exists(for identity: FileIdentity) -> Bool { copy(of: identity) != nil }

    /// Makes the copy of a recording, with `ffmpeg`.
    package func make(
        of source: FilePath, in identity: FileIdentity, shouldStop: @escaping () -> Bool
    ) throws {
        let directory = try files.directoryWithRoom()
        let name = try files.name(identity)
        let part = try files.name(identity, isPart: true)
        do {
            try FFmpeg(for: "copies for players", opening: .recognised, shouldStop: shouldStop)
                .makePlayable(from: source, to: directory.path(of: part))
            try identity.require(at: source)
            try explaining("rename the copy", directory.path(of: name)) { () throws(Errno) in
                try directory.unlink(name)
                try directory.moveWithoutReplacing(part, to: name, in: directory)
            }
        } catch {
            try? directory.unlink(part)
            throw error
        }
    }
}
