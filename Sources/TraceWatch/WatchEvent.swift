package import SystemPackage

/// Something the watcher saw.
///
/// An event is a hint that a place should be looked at. Events may come twice, and may come late enough that the
/// file is gone again. Paths are bytes and begin with the root as it was given.
package enum WatchEvent: Hashable, Sendable {
    /// An entry of a watched directory changed.
    ///
    /// Directories that come and go have events of their own; for a directory, only ``Change/attributes`` is reported.
    case changed(directory: FilePath, name: FilePath.Component, change: Change, isDirectory: Bool)

    /// A directory is there and watched from now on; what it already holds has not been reported.
    ///
    /// Reported for each directory of a tree that was created or moved in, parents first.
    case directoryAppeared(FilePath)

    /// A directory, with all below it, is no longer at this path.
    ///
    /// Reported for a root as well, also when it is missing from the start. Nothing below it is polled any more.
    case directoryVanished(FilePath)

    /// Events were lost or may have been: everything below all roots must be scanned.
    ///
    /// The watches are set again before this is reported, so a scan that begins now misses nothing. What happened between the
    /// loss and this event is not reported otherwise.
    case rescan(RescanReason)

    /// Nothing at or below this directory is reported until ``watchedAgain(_:)`` or ``directoryVanished(_:)``.
    ///
    /// Reported once for each directory and reason, not for its descendants. The error's hint says how to cure it.
    case unwatched(FilePath, WatchError)

    /// A directory that could not be watched now is; a ``directoryAppeared(_:)`` of the same path follows.
    ///
    /// It ends the ``unwatched(_:_:)`` of every directory below it; those still unwatched are reported again after it.
    case watchedAgain(FilePath)

    /// The answer to ``Watcher/passBarrier(_:)`` of this number.
    ///
    /// If it is whole, every change that was made below a watched directory before the request has been reported by the events
    /// before this one, or is in a directory that they report as appeared, or is found by the scan that a
    /// ``rescan(_:)`` among them asks for. If it is not, events are missing, and nothing is known.
    case barrier(UInt64, isWhole: Bool)

    /// A change to a directory entry.
    package enum Change: Hashable, Sendable {
        /// It was created, perhaps still empty.
        case created
        /// Its bytes changed; a writer may be at work on it still.
        case contents
        /// A descriptor that could write to it was closed.
        case written
        /// It took this name by a rename, perhaps in place of another file.
        case movedIn
        /// It lost this name by a rename.
        case movedOut
        /// It was deleted.
        case deleted
        /// Its permissions, times, owner, link count or extended attributes changed.
        case attributes
    }
}

/// Why everything must be scanned again.
package enum RescanReason: Hashable, Sendable {
    /// The kernel's event queue overflowed (IN_Q_OVERFLOW).
    case kernelOverflow
    /// The consumer was slower than the events, and the buffer between them was full.
    case bufferOverflow
    /// An event or a watch could not be brought together with a known directory.
    case lostTrack
    /// A file system with watched directories was unmounted.
    case unmounted
    /// Another directory is in the place of a watched one.
    case directoryReplaced
    /// So many watched directories were deleted that the library had to be emptied; it can't free single ones.
    case deadWatches
    /// Reading the events failed.
    case readFailure
    /// inotify could not be opened before.
    case watchedAtLast
}

extension WatchEvent {
    /// Whether a scan of all roots finds out what this event tells.
    var isCoveredByRescan: Bool {
        switch self {
        case .changed, .directoryAppeared, .directoryVanished, .rescan: true
        case .unwatched, .watchedAgain, .barrier: false
        }
    }

    var isBarrier: Bool { if case .barrier = self { true } else { false } }
}
