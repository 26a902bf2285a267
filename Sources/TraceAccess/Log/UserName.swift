internal import Glibc

/// The user of this machine that runs the process.
package enum UserName {
    /// The name; the number of a user without one.
    package static var current: String {
        let id = geteuid()
        var size = max(1024, Int(sysconf(Int32(_SC_GETPW_R_SIZE_MAX))))
        // A directory service may have longer entries than the system says.
        while size <= 1 << 20 {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            var answer: Int32 = 0
            var buffer = [CChar](repeating: 0, count: size)
            let name = buffer.withUnsafeMutableBufferPointer { buffer -> String? in
                guard let memory = buffer.baseAddress else { return nil }
                answer = getpwuid_r(id, &entry, memory, buffer.count, &found)
                // Sound: the name ends with NUL, and is in the buffer, which is lent for the length of this call.
                return found?.pointee.pw_name.map { String(cString: $0) }
            }
            if answer == 0, let name { return name }
            guard answer == ERANGE else { break }
            size *= 2
        }
        return String(id)
    }
}
