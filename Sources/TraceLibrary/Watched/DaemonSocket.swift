package import Glibc
package import SystemPackage
internal import TraceFiles

/// The Unix socket of the daemon of a state directory: commands ask there what they need not compare themselves.
///
/// It is in the runtime directory, and its name has the device and the inode of the state directory. So there is one for each state
/// directory, whichever path leads there, and it belongs to the daemon that holds that one's lock.
package struct DaemonSocket: Sendable {
    /// The directory that it is in.
    package let directory: FilePath
    let name: FilePath.Component

    package var path: FilePath { directory.appending(name) }

    /// - Returns: Nil if there is no state directory.
    package init?(state: FilePath, runtimeDirectory: FilePath) {
        guard let identity = try? FileStatus(of: state).identity.file,
            let name = FilePath.Component(
                "traced-\(String(identity.device, radix: 16))-\(String(identity.inode, radix: 16)).sock")
        else { return nil }
        directory = runtimeDirectory
        self.name = name
    }

    /// A descriptor of a new stream socket, which is not waited for.
    ///
    /// - Throws: `Errno` of socket(2).
    package static func open() throws(Errno) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: descriptor)
    }

    /// Calls `body` with the address of the socket, such as bind(2) and connect(2) take.
    ///
    /// A path that an address has no room for is replaced by one through the descriptor of the directory.
    ///
    /// - Returns: What `body` returns, which is taken for the result of a call: if it is negative, `errno` is thrown.
    /// - Throws: `Errno`; `.permissionDenied` if others than the owner and the group may write to the directory, since anybody
    ///   could answer there.
    @discardableResult
    package func withAddress(
        _ body: (_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32
    ) throws(Errno) -> Int32 {
        let directory = self.directory.withPlatformString {
            Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard directory >= 0 else { throw Errno(rawValue: errno) }
        defer { Glibc.close(directory) }
        guard try FileStatus(ofDescriptor: directory).permissions & 0o002 == 0 else {
            throw .permissionDenied
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Of the room, the last byte stays NUL.
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        var bytes = path.bytes
        if bytes.count > room { bytes = FilePath("/proc/self/fd/\(directory)").appending(name).bytes }
        guard bytes.count <= room else { throw .fileNameTooLong }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // Sound: the address lives until the call returns, and is as long as is said.
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return result
    }
}
