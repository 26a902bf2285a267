internal import Glibc

/// The user of this process, as the system's user database knows it.
package enum UserAccount {
    /// The login name of the effective user; their number where the database has no name for it, as in some containers.
    ///
    /// Source: getpwuid_r(3).
    package static var name: String {
        let user = geteuid()
        var size = 1 << 10
        while size <= largestEntry {
            switch lookUp(user, in: size) {
            case .found(let name): return name
            case .tooSmall: size *= 2
            case .unknown: return "\(user)"
            }
        }
        return "\(user)"
    }

    /// No entry of the database is longer, in bytes.
    private static let largestEntry = 1 << 20

    private enum Answer {
        case found(String)
        case tooSmall
        case unknown
    }

    private static func lookUp(_ user: uid_t, in size: Int) -> Answer {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var strings = [CChar](repeating: 0, count: size)
        return strings.withUnsafeMutableBufferPointer { buffer in
            guard let memory = buffer.baseAddress else { return .unknown }
            var status: Int32
            repeat {
                status = getpwuid_r(user, &entry, memory, buffer.count, &found)
            } while status == EINTR
            if status == ERANGE { return .tooSmall }
            // Sound: the name is in the buffer, which lives until it has been copied.
            guard status == 0, found != nil, let name = entry.pw_name else { return .unknown }
            return .found(String(cString: name))
        }
    }
}
