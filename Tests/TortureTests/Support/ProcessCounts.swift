import Foundation

/// What the kernel counts of a process.
struct ProcessCounts: Equatable, CustomStringConvertible {
    /// Memory that is really there, in KiB.
    var memory: Int
    var descriptors: Int
    /// Directories that inotify watches.
    var watches: Int

    init(of process: pid_t) throws {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        memory = status.firstMatch(of: #/VmRSS:\s+(\d+) kB/#).flatMap { Int($0.output.1) } ?? 0
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fdinfo")
        descriptors = names.count
        watches = names.reduce(0) { sum, name in
            let info = try? String(contentsOfFile: "/proc/\(process)/fdinfo/\(name)", encoding: .utf8)
            return sum + (info?.split(separator: "\n").count { $0.hasPrefix("inotify wd:") } ?? 0)
        }
    }

    var description: String { "\(memory) KiB, \(descriptors) descriptors, \(watches) watches" }
}
