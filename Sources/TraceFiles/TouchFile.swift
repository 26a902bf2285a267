internal import Glibc
package import SystemPackage

extension OpenDirectory {
    /// Sets the times of an entry to the present moment; a symbolic link is not followed.
    package func touch(_ name: FilePath.Component) throws(Errno) {
        _ = try withDescriptor { descriptor throws(Errno) in
            try retrying { name.withPlatformString { utimensat(descriptor, $0, nil, AT_SYMLINK_NOFOLLOW) } }
        }
    }
}
