import SystemPackage
import Testing
import TraceFiles
import TraceText

@testable import TraceWatch

@Suite struct SmallPartsTests {
    @Test func `waits double up to the longest and start over after a reset`() throws {
        var backoff = Backoff(RetryInterval(first: .seconds(1), longest: .seconds(5)))
        let now = ContinuousClock.now
        #expect(!backoff.isDue(now + .seconds(100)))
        var waits: [Duration] = []
        for _ in 0..<5 {
            backoff.schedule(after: now)
            waits.append(try #require(backoff.deadline) - now)
        }
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        backoff.scheduleIfIdle(after: now + .seconds(50))
        #expect(backoff.isDue(now + .seconds(5)))
        backoff.reset()
        backoff.scheduleIfIdle(after: now)
        #expect(backoff.deadline == now + .seconds(1))
    }

    @Test func `the type of a file system is read from mountinfo`() {
        let text = """
            a line of another form
            short
            24 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
            31 24 0:27 / /mnt/nas rw,relatime shared:9 master:2 - nfs4 nas:/x rw
            32 24 0:45 / /mnt/a\\040b rw - fuse.sshfs me@host: rw
            """
        #expect(FileSystemKind.type(ofDevice: 254 << 8, inMountInfo: text) == "ext4")
        #expect(FileSystemKind.type(ofDevice: 27, inMountInfo: text) == "nfs4")
        #expect(FileSystemKind.type(ofDevice: 45, inMountInfo: text) == "fuse.sshfs")
        #expect(FileSystemKind.type(ofDevice: 46, inMountInfo: text) == nil)
    }

    @Test(arguments: ["nfs", "nfs4", "cifs", "smb3", "fuse.sshfs", "fuse", "9p"])
    func `network file systems are remote`(type: String) {
        #expect(FileSystemKind.isRemote(type))
    }

    @Test(arguments: ["ext4", "btrfs", "xfs", "tmpfs", "overlay", "fuseblk", "exfat", "vfat", "zfs"])
    func `local file systems are not remote`(type: String) {
        #expect(!FileSystemKind.isRemote(type))
    }

    @Test func `the error of a watch limit names directory, sysctl and cure`() {
        let error = WatchError(watching: "/r/a", refusedWith: .noSpace)
        #expect(error.code == .watchLimit)
        #expect(error.path == "/r/a")
        #expect(error.cure?.text?.contains("sysctl fs.inotify.max_user_watches=") == true)
        #expect(error.description.hasPrefix("/r/a: no inotify watch is left for this directory"))
        #expect(error.description.contains("[watch-limit]\n  hint: run 'sysctl"))
    }

    @Test(
        arguments: [
            (Errno.permissionDenied, WatchError.Code.permissionDenied), (.tooManyOpenFiles, .descriptorLimit),
            (.fileNameTooLong, .pathTooLong), (.ioError, .systemFailure),
        ])
    func `errors of the kernel have codes`(errno: Errno, code: WatchError.Code) {
        #expect(WatchError(watching: "/r", refusedWith: errno).code == code)
    }
}
