import SystemPackage
internal import TraceFiles

extension WatchLoop {
    /// The outcome of the attempt to watch one directory.
    enum Outcome {
        case watched
        /// It was watched before, under this path.
        case known
        /// There is no directory at the path.
        case gone
        case refused(WatchError)
    }

    /// Watches a directory and all below it.
    ///
    /// Each directory is watched first and read then: what appears in it in between is either read or reported.
    ///
    /// - Parameter announcing: Whether each directory is reported as ``WatchEvent/directoryAppeared(_:)``.
    /// - Returns: The outcome of the topmost directory.
    @discardableResult
    func watchTree(at top: FilePath, announcing: Bool) -> Outcome {
        var topmost: Outcome?
        var waiting = [top]
        var count = 0
        while let path = waiting.popLast(), !control.endsWalk(), damage == nil {
            let outcome = watch(path)
            topmost = topmost ?? outcome
            switch outcome {
            case .watched: waiting += enter(path, announcing: announcing)
            case .refused(let error): noteObstacle(error, at: path)
            case .known, .gone: break
            }
            count += 1
            if count.isMultiple(of: 64) {
                drainEvents()
            }
        }
        return topmost ?? .gone
    }

    /// Announces a directory that was just watched.
    ///
    /// - Returns: The directories in it.
    private func enter(_ path: FilePath, announcing: Bool) -> [FilePath] {
        let names: [FilePath.Component]
        do {
            names = try DirectoryListing.subdirectories(of: path) { control.endsWalk() }
        } catch {
            if let descriptor = table.descriptor(ofPath: path) {
                detachTree(descriptor, isAlive: error != .noSuchFileOrDirectory)
            }
            if error != .noSuchFileOrDirectory {
                noteObstacle(WatchError(watching: path, refusedWith: error), at: path)
            }
            return []
        }
        missingRoots.remove(path)
        if obstacles[path] != nil {
            removeObstacles(atOrBelow: path)
            emit(.watchedAgain(path))
        }
        if announcing {
            emit(.directoryAppeared(path))
        }
        return names.map { path.appending($0) }
    }

    /// Sets a watch on one directory and attaches it to its path.
    private func watch(_ path: FilePath) -> Outcome {
        // More than one turn is needed only if the directory has a watch that must be removed first, or is replaced at this moment.
        for _ in 0..<3 {
            do {
                return attach(try inotify.watch(path, followingLinks: rootSet.contains(path)), to: path)
            } catch .fileExists {
                if let outcome = resolveConflict(at: path) { return outcome }
            } catch .noSuchFileOrDirectory {
                return .gone
            } catch .notDirectory {
                return .gone
            } catch {
                return .refused(WatchError(watching: path, refusedWith: error))
            }
        }
        giveUp(.lostTrack)
        return .gone
    }

    private func attach(_ descriptor: Int32, to path: FilePath) -> Outcome {
        // What the watch was set on may be at another path now, and libinotifytools has followed a symbolic link
        // that took the directory's place; it shows here.
        guard let identity = identity(at: path) else {
            table.addLoose(descriptor)
            free([descriptor])
            return .gone
        }
        if let type = remoteType(of: identity) {
            table.addLoose(descriptor)
            free([descriptor])
            return .refused(
                WatchError(
                    .remoteFileSystem, "changes on a file system of type \(type) may not be reported",
                    path: path))
        }
        if let stale = table.descriptor(ofPath: path), let entry = table[stale] {
            // Another directory took the name. One with directories in it can't have been deleted by that: it is
            // elsewhere, with its watches.
            detachTree(stale, isAlive: entry.hasChildren)
        }
        table.attach(descriptor, path: path, identity: identity)
        return .watched
    }

    /// Deals with a directory that has a watch already.
    ///
    /// - Returns: Nil if a watch is to be tried once more: that one was removed, or another directory has come there.
    private func resolveConflict(at path: FilePath) -> Outcome? {
        guard let identity = identity(at: path) else { return .gone }
        // Another directory may have come to the path since; only if it has a watch itself that nobody knows, all is to be read again.
        guard let holder = table.descriptor(ofIdentity: identity) else { return nil }
        guard let entry = table[holder] else {
            free([holder])
            return nil
        }
        if entry.path == path {
            table.joinParent(holder)
            return .known
        }
        if self.identity(at: entry.path) == identity {
            return .refused(
                WatchError(.watchedElsewhere, "directory is watched as '\(entry.path)' already", path: path))
        }
        // It was renamed, and the event that says so is still to be read.
        detachTree(holder, isAlive: true)
        return nil
    }

    /// Takes the paths from a directory's watch and all below it.
    ///
    /// - Parameter isAlive: Whether the kernel still has these watches, so that they must be removed.
    func detachTree(_ top: Int32, isAlive: Bool) {
        let detached = table.detachSubtree(top)
        if isAlive {
            free(detached)
        }
    }

    /// The identity of the directory at a path; a link is followed only if it is a root.
    func identity(at path: FilePath) -> FileID? {
        Self.directory(at: path, followingLinks: rootSet.contains(path))
    }

    /// The identity of the directory at a path.
    static func directory(at path: FilePath, followingLinks: Bool) -> FileID? {
        guard let status = try? FileStatus(of: path, followingLinks: followingLinks),
            status.kind == .directory
        else { return nil }
        return status.identity.file
    }

    /// The type of the directory's file system if inotify can't serve there.
    private func remoteType(of identity: FileID) -> String? {
        if let known = remoteTypes[identity.device] { return known }
        let type = FileSystemKind.type(ofDevice: identity.device).flatMap {
            FileSystemKind.isRemote($0) ? $0 : nil
        }
        remoteTypes.updateValue(type, forKey: identity.device)
        return type
    }
}
