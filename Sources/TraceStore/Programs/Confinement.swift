internal import CLandlock
internal import Glibc
package import SystemPackage
package import TraceFiles

/// A file that a program is handed: it has it open under the same number as we have.
package final class HandedFile: Sendable {
    /// For messages.
    package let path: FilePath
    let isWritten: Bool
    /// The user that it belongs to.
    package let owner: UInt32
    private let file: OpenFile

    /// Opens a regular file for reading. A link is followed.
    ///
    /// - Throws: ``FileError``.
    package init(reading path: FilePath) throws {
        self.path = path
        isWritten = false
        file = try explaining("open", path) { () throws(Errno) in try OpenFile(path, O_RDONLY | O_NONBLOCK) }
        owner = try file.regularStatus(at: path).owner
    }

    /// Makes a file, or empties the one that is there. A link is not followed.
    ///
    /// - Throws: ``FileError``.
    package init(writing path: FilePath) throws {
        self.path = path
        isWritten = true
        owner = geteuid()
        let directory = try OpenDirectory(path.containingDirectory)
        file = try explaining("create", path) { () throws(Errno) in
            guard let name = path.lastComponent else { throw .isDirectory }
            return try directory.openFile(name, O_RDWR | O_CREAT | O_TRUNC, permissions: 0o666)
        }
    }

    /// Its number, in this process and in the program.
    package var descriptor: Int32 { file.descriptor }

    /// How the program names it. It leads to this file whatever becomes of its path.
    ///
    /// Source: proc(5), "/proc/pid/fd/".
    package var name: String { "/proc/self/fd/\(descriptor)" }

    /// How many bytes it has now.
    ///
    /// - Throws: ``FileError``.
    package var size: Int64 {
        get throws { try file.regularStatus(at: path).identity.size }
    }

    /// Up to `count` bytes from `offset`.
    ///
    /// - Throws: ``FileError``.
    package func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        try explaining("read", path) { () throws(Errno) in try file.bytes(at: offset, count: count) }
    }
}

/// What a program may reach that reads what strangers made: itself, the programs and libraries of the system, and the files that it is
/// handed. The kernel sees to it, by Landlock, for as long as the program and all that it starts live.
package struct Confinement {
    var files: [HandedFile]

    /// Confines a program to these files, and to what belongs to the system.
    package init(files: [HandedFile]) { self.files = files }

    /// Where programs and their libraries are; of these, what there is.
    private static let places: [FilePath] = [
        "/usr", "/bin", "/lib", "/lib64", "/nix/store", "/gnu/store", "/etc/ld.so.cache",
        "/etc/ld.so.preload",
    ]
    /// Devices that hold nothing of anybody.
    private static let devices: [FilePath] = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]

    /// Runs what starts a program, on a thread that may reach no more than the program is to. Where there is no Landlock
    /// (``Landlock/state``) it may reach what we may.
    ///
    /// - Parameter start: Returns what is returned.
    /// - Throws: What keeps the thread from being confined; nothing is started then.
    func starting(_ program: FilePath, _ start: () -> Int32) throws(Errno) -> Int32 {
        guard Landlock.state == .available else { return start() }
        let rules = try Landlock.Rules()
        for place in Self.places + [program] { try rules.allow(place, clandlock_read | clandlock_execute) }
        for device in Self.devices { try rules.allow(device, clandlock_read | clandlock_write) }
        for file in files {
            try rules.allow(
                file.descriptor, file.isWritten ? clandlock_read | clandlock_write : clandlock_read)
        }
        var refusal: Errno?
        var answer: Int32 = 0
        try DedicatedThread.run {
            do throws(Errno) {
                try rules.restrictThread()
                answer = start()
            } catch { refusal = error }
        }
        if let refusal { throw refusal }
        return answer
    }
}

/// The means of the kernel by which a process gives up rights on files, for good.
///
/// Source: landlock(7).
package enum Landlock {
    /// Whether it can be used by this process.
    package enum State: String, Sendable {
        case available
        /// The kernel was built or started without.
        case missing
        /// A filter of system calls forbids it, such as `SystemCallFilter=` of a unit.
        case forbidden
    }

    /// How it is for this process: tried once, on a thread that ends.
    package static let state: State = {
        var failure: Errno?
        do throws(Errno) {
            let rules = try Rules()
            try rules.allow("/", clandlock_read)
            try DedicatedThread.run {
                do throws(Errno) { try rules.restrictThread() } catch { failure = error }
            }
        } catch { failure = error }
        return switch failure {
        case nil: .available
        case Errno.noFunction, Errno.notSupportedOnSocket: .missing
        default: .forbidden
        }
    }()

    /// What is still allowed, to begin with nothing.
    fileprivate struct Rules: ~Copyable {
        private let set: OpenFile

        init() throws(Errno) {
            let descriptor = clandlock_create()
            guard descriptor >= 0 else { throw Errno(rawValue: -descriptor) }
            set = OpenFile(adopting: descriptor)
        }

        /// Allows it for a file, or for all that is below a directory; for nothing if there is none.
        func allow(_ place: FilePath, _ rights: Int) throws(Errno) {
            let descriptor = place.withPlatformString { clandlock_open($0) }
            guard descriptor >= 0 else {
                let cause = Errno(rawValue: errno)
                guard cause == .noSuchFileOrDirectory || cause == .notDirectory else { throw cause }
                return
            }
            let file = OpenFile(adopting: descriptor)
            try allow(file.descriptor, rights)
        }

        func allow(_ descriptor: Int32, _ rights: Int) throws(Errno) {
            let failure = clandlock_allow(set.descriptor, descriptor, Int32(rights))
            guard failure == 0 else { throw Errno(rawValue: failure) }
        }

        /// Puts the calling thread under the rules, and what it starts.
        func restrictThread() throws(Errno) {
            let failure = clandlock_restrict(set.descriptor)
            guard failure == 0 else { throw Errno(rawValue: failure) }
        }
    }
}
