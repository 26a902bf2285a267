internal import Glibc
package import SystemPackage

/// Small files that are there for other programs to read, such as metrics: whole at every moment, and not durable.
package enum VolatileFile {
    /// Replaces a file in one step.
    ///
    /// - Parameter mode: Its permissions, whatever the process's umask.
    /// - Throws: ``FileError``; then the old one is as it was.
    package static func replace(_ path: FilePath, with contents: [UInt8], mode: UInt32) throws {
        guard let name = path.lastComponent, let temporary = FilePath.Component(".\(name.string).new") else {
            throw FileError(.invalidData, "is not a file name", path: path)
        }
        let directory = try OpenDirectory(path.containingDirectory)
        try explaining("write", path) { () throws(Errno) in
            let file = try directory.openFile(
                temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, permissions: mode)
            do throws(Errno) {
                var rest = contents[...]
                while !rest.isEmpty { rest = rest.dropFirst(try file.writeOnce(Array(rest))) }
                _ = try retrying { fchmod(file.descriptor, mode_t(mode)) }
                try directory.move(temporary, to: name, in: directory) { renameat($0, $1, $2, $3) }
            } catch {
                try? directory.unlink(temporary)
                throw error
            }
        }
    }
}
