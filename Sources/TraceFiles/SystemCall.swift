internal import Glibc
package import SystemPackage

/// Makes a system call, again for as long as a signal interrupts it.
///
/// Not for `close`: Linux has let go of the descriptor even when it answers EINTR, and by the next call the
/// number may be another thread's file.
///
/// - Throws: What the kernel answered, never EINTR.
///
/// Source: signal(7), "Interruption of system calls"; close(2), "Dealing with error returns".
@inline(__always)
package func retrying<Result: SignedInteger & FixedWidthInteger>(_ call: () -> Result) throws(Errno) -> Result
{
    while true {
        let result = call()
        if result != -1 { return result }
        let cause = errno
        if cause != EINTR { throw Errno(rawValue: cause) }
    }
}

/// Calls that glibc offers only under `_GNU_SOURCE`, which Swift's Glibc module does not set.
///
/// They are looked up by name at run time, so that a C library without one (an old glibc, musl) is met by the
/// caller's fallback instead of a link error.
package enum GNUCall {
    /// `renameat2(2)`.
    package typealias RenameAt2 =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
    /// `copy_file_range(2)`.
    typealias CopyFileRange =
        @convention(c) (
            Int32, UnsafeMutablePointer<Int64>?, Int32, UnsafeMutablePointer<Int64>?, Int, UInt32
        ) -> Int

    /// `sync_file_range(2)`.
    typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

    /// `adjtimex(2)`, whose structure Swift does not see.
    typealias AdjTimeX = @convention(c) (UnsafeMutableRawPointer) -> Int32

    /// `malloc_trim(3)`.
    typealias MallocTrim = @convention(c) (Int) -> Int32

    /// `mallopt(3)`.
    typealias MallocOption = @convention(c) (Int32, Int32) -> Int32

    /// `pidfd_open(2)`.
    typealias PIDFDOpen = @convention(c) (Int32, UInt32) -> Int32

    /// The new name must not exist yet (linux/fs.h).
    static let renameNoReplace: UInt32 = 1

    // Sound: the signatures above are those of the manual pages, on every Linux that Swift runs on with 64
    // bits; the symbol belongs to the C library, which is never unloaded.
    static let renameat2 = address(of: "renameat2").map { unsafeBitCast($0, to: RenameAt2.self) }
    static let copyFileRange = address(of: "copy_file_range").map {
        unsafeBitCast($0, to: CopyFileRange.self)
    }

    static let syncFileRange = address(of: "sync_file_range").map {
        unsafeBitCast($0, to: SyncFileRange.self)
    }

    static let adjtimex = address(of: "adjtimex").map { unsafeBitCast($0, to: AdjTimeX.self) }
    static let mallocTrim = address(of: "malloc_trim").map { unsafeBitCast($0, to: MallocTrim.self) }
    static let mallopt = address(of: "mallopt").map { unsafeBitCast($0, to: MallocOption.self) }
    package static let pidfdOpen = address(of: "pidfd_open").map { unsafeBitCast($0, to: PIDFDOpen.self) }

    private static func address(of symbol: String) -> UnsafeMutableRawPointer? {
        guard let program = dlopen(nil, RTLD_NOW) else { return nil }
        return dlsym(program, symbol)
    }
}
