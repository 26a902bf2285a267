import SystemPackage

/// How inotify works on a file system.
enum FileSystemKind {
    /// File systems that others change without this kernel knowing.
    ///
    /// FUSE is one of them, except `fuseblk`, which is a local disk.
    ///
    /// Source: inotify(7), "Limitations and caveats".
    private static let remote: Set<String> = [
        "9p", "acfs", "afs", "beegfs", "ceph", "cifs", "coda", "fuse", "gfs2", "gpfs", "lustre", "ncpfs",
        "nfs", "nfs4",
        "ocfs2", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    ]

    /// Whether changes may stay unreported in a file system of this type, as /proc/self/mountinfo names it.
    static func isRemote(_ type: String) -> Bool {
        remote.contains(type) || type.hasPrefix("fuse.")
    }

    /// The type of the file system on a device; nil if no mount has this device number, as with btrfs subvolumes.
    static func type(ofDevice device: UInt64) -> String? {
        SystemFile.contents("/proc/self/mountinfo").flatMap { type(ofDevice: device, inMountInfo: $0) }
    }

    /// Finds the device in the text of a mountinfo file.
    ///
    /// Source: proc_pid_mountinfo(5): field 3 is `major:minor`, and the type follows the field `-`.
    static func type(ofDevice device: UInt64, inMountInfo text: String) -> String? {
        let wanted = "\(major(device)):\(minor(device))"
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2, fields[2] == wanted, let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }

    // Source: makedev(3), glibc's bits/sysmacros.h; the macros are not visible to Swift.
    private static func major(_ device: UInt64) -> UInt64 {
        (device >> 8) & 0xfff | (device >> 32) & 0xffff_f000
    }

    private static func minor(_ device: UInt64) -> UInt64 {
        device & 0xff | (device >> 12) & 0xffff_ff00
    }
}
