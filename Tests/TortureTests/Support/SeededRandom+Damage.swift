import Glibc
import SystemPackage
import TestSupport

/// What dice do to the bytes of a file; never through a link.
extension SeededRandom {
    /// Puts another byte in the place of one, the times as before or not.
    ///
    /// - Returns: What was done, for a log.
    mutating func changeByte(of file: FilePath) -> String {
        let descriptor = file.withPlatformString { open($0, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else { return "nothing" }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return "nothing" }
        let offset = Int.random(in: 0..<Int(status.st_size), using: &self)
        var byte = element(of: Array("0123456789AB\n\"}".utf8))
        pwrite(descriptor, &byte, 1, off_t(offset))
        if element(of: [true, false]) { futimens(descriptor, [status.st_mtim, status.st_mtim]) }
        return "\(file) at \(offset)"
    }

    /// Cuts a file off, or fills it with NUL bytes, at a length below a limit.
    ///
    /// - Returns: What was done, for a log.
    mutating func truncate(_ file: FilePath, below limit: Int) -> String {
        let descriptor = file.withPlatformString { open($0, O_WRONLY | O_NOFOLLOW | O_NONBLOCK) }
        guard descriptor >= 0 else { return "nothing" }
        defer { close(descriptor) }
        return "\(file): \(ftruncate(descriptor, off_t(Int.random(in: 0..<limit, using: &self))))"
    }
}
