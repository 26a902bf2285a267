package import SystemPackage

/// The steps of a durable write at which tests inject a failure or a kill.
package enum WriteStep: String, CaseIterable, Sendable {
    /// Bytes are about to be handed to the kernel.
    case write
    /// The file's bytes are about to be made durable.
    case sync
    /// It is about to be looked up by name whether the bytes really are there.
    case verify
    /// It is about to be checked that the file to be replaced is still the one that was read.
    case compare
    /// A name is about to get its new file.
    case rename
    /// A directory's names are about to be made durable.
    case syncDirectory
    /// The old name is about to be removed.
    case remove
}

/// Called before each step with the path that it is about; an errno thrown here is taken as the step's own
/// failure.
///
/// Not used in production. Crash tests set one to kill a child process at each step in turn; fault tests do, to have `fsync`
/// fail; race tests do, to be "another program" between two steps.
package typealias FailPoint = @Sendable (WriteStep, FilePath) throws(Errno) -> Void
