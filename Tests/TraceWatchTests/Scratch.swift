import Foundation
import Glibc
import SystemPackage

/// A directory of a test's own, removed with the value; `TRACE_KEEP_SCRATCH=1` keeps it.
final class Scratch: Sendable {
    let path: FilePath

    init() throws {
        path = FilePath(NSTemporaryDirectory()).appending("trace-watch-\(UUID().uuidString)")
        try makeDirectory(path)
    }

    deinit {
        if ProcessInfo.processInfo.environment["TRACE_KEEP_SCRATCH"] != "1" {
            run("/bin/rm", "-rf", path.string)
        }
    }
}

func makeDirectory(_ path: FilePath) throws {
    try check(path.withPlatformString { mkdir($0, 0o755) })
}

/// Makes a directory and all that are missing above it.
func makeDirectories(_ path: FilePath) throws {
    var above = path
    above.removeLastComponent()
    if path.withPlatformString({ mkdir($0, 0o755) }) == 0 || errno == EEXIST { return }
    try makeDirectories(above)
    try makeDirectory(path)
}

func removeDirectory(_ path: FilePath) throws {
    try check(path.withPlatformString { rmdir($0) })
}

func move(_ source: FilePath, to target: FilePath) throws {
    try check(source.withPlatformString { source in target.withPlatformString { rename(source, $0) } })
}

func remove(_ path: FilePath) throws {
    try check(path.withPlatformString { unlink($0) })
}

func write(_ text: String, to path: FilePath, appending: Bool = false) throws {
    let options: FileDescriptor.OpenOptions = appending ? [.create, .append] : [.create, .truncate]
    let file = try FileDescriptor.open(path, .writeOnly, options: options, permissions: [.ownerReadWrite])
    _ = try file.closeAfter { try file.writeAll(text.utf8) }
}

/// Makes that many empty files, quickly.
func makeFiles(_ count: Int, in directory: FilePath) throws {
    let directory = directory.string
    for number in 0..<count {
        let file = open("\(directory)/\(number)", O_CREAT | O_WRONLY, 0o600)
        try check(file)
        close(file)
    }
}

/// Writes into two files in turn, since the kernel joins an event with one before it that is the same.
func makeEvents(_ count: Int, in directory: FilePath) throws {
    let files = try ["even", "odd"].map {
        try FileDescriptor.open(
            directory.appending($0), .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    }
    defer { for file in files { try? file.close() } }
    for number in 0..<count { try files[number % 2].writeAll([0x20]) }
}

/// Runs a program to its end.
@discardableResult
func run(_ program: String, _ arguments: String...) -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    guard (try? process.run()) != nil else { return -1 }
    process.waitUntilExit()
    return process.terminationStatus
}

private func check(_ result: CInt) throws {
    if result < 0 { throw Errno(rawValue: errno) }
}
