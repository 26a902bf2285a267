internal import Glibc
internal import NIOCore
internal import SystemPackage
internal import TraceFiles

/// The file of a Unix socket. One that a killed daemon left is in the way of the next.
enum SocketFile {
    /// Removes a socket on which nobody listens. Anything else at that place stays, and is in the way.
    ///
    /// - Throws: `IOError` with `EADDRINUSE` if somebody listens, or if it is not a socket.
    static func removeStale(_ path: FilePath) throws {
        var status = stat()
        guard lstat(path.string, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK, !isServed(path) else {
            throw IOError(errnoCode: EADDRINUSE, reason: "bind")
        }
        try remove(path)
    }

    /// Removes the file.
    static func remove(_ path: FilePath) throws {
        guard unlink(path.string) == 0 || errno == ENOENT else {
            throw IOError(errnoCode: errno, reason: "unlink")
        }
    }

    /// Whether a connection is accepted.
    private static func isServed(_ path: FilePath) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return true }
        defer { _ = Glibc.close(descriptor) }
        var address = sockaddr_un()
        let bytes = path.bytes
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return true }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Sound: the address lives until the call returns, and is as long as is said.
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, length) == 0
            }
        }
    }
}
