import Glibc
import SystemPackage
internal import TraceFiles

/// Which file systems are mounted below the roots; mounting one is not reported by inotify.
struct MountTable {
    private let roots: [FilePath]
    /// What poll(2) reports a change of. Nil where /proc can't be read; changes are then found by the periodic scan.
    private let source: MountSource?
    /// The lines of the mounts below the roots.
    private var mounts: [Substring] = []

    init(below roots: [FilePath]) {
        self.roots = roots
        source = MountSource()
        mounts = relevantLines()
    }

    /// Whether something was mounted or unmounted below a root since the last call.
    mutating func hasChanged() -> Bool {
        guard let source, source.hasChanged() else { return false }
        let now = relevantLines()
        defer { mounts = now }
        return now != mounts
    }

    private func relevantLines() -> [Substring] {
        let places = roots.map { PathCheck.resolved($0) ?? $0 }
        return (SystemFile.contents(MountSource.path) ?? "").split(separator: "\n").filter { line in
            guard let point = Self.mountPoint(line) else { return false }
            return places.contains { point.lies(in: $0) }
        }
    }

    /// Where a file system is mounted.
    ///
    /// Source: proc_pid_mountinfo(5): the fifth field, in which blanks and backslashes are octal numbers.
    static func mountPoint(_ line: some StringProtocol) -> FilePath? {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count > 4 else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(fields[4].utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return FilePath(bytes: bytes)
    }
}

/// An open table of mounts.
final class MountSource: Sendable {
    static let path: FilePath = "/proc/self/mountinfo"
    private let file: FileDescriptor

    init?() {
        guard let file = try? FileDescriptor.open(Self.path, .readOnly, options: [.closeOnExec]) else {
            return nil
        }
        self.file = file
    }

    deinit { try? file.close() }

    /// Whether anything was mounted or unmounted since the last call.
    ///
    /// Source: proc_pid_mounts(5): "a file descriptor can be monitored for changes by poll(2)", with POLLPRI and POLLERR.
    func hasChanged() -> Bool { look(besides: -1) == .mounted }

    /// What is to be read.
    enum Look {
        case still
        /// Something was mounted or unmounted since the last look.
        case mounted
        /// The other descriptor can be read.
        case queued
    }

    /// Looks at this and at another descriptor.
    func look(besides descriptor: CInt) -> Look {
        var states = [
            pollfd(fd: file.rawValue, events: Int16(POLLPRI), revents: 0),
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&states, nfds_t(states.count), 0) != 0 else { return .still }
        return states[0].revents & Int16(POLLPRI | POLLERR) != 0 ? .mounted : .queued
    }
}
