import SystemPackage
internal import TraceFiles

extension WatchLoop {
    /// Does what one event of the kernel asks for.
    ///
    /// Source: inotify(7), "inotify events".
    func handle(_ event: KernelEvent) {
        if event.mask.contains(.queueOverflow) {
            giveUp(.kernelOverflow)
        } else if event.mask.contains(.unmounted) {
            giveUp(.unmounted)
        } else if event.mask.contains(.watchEnded) {
            handleEnd(of: event.descriptor)
        } else if let directory = table[event.descriptor] {
            if let name = event.name {
                handle(event.mask, of: name, in: directory)
            } else {
                handleSelf(event, directory)
            }
        } else if table.isLoose(event.descriptor) {
            handleLoose(event)
        } else {
            giveUp(.lostTrack)
        }
    }

    /// A watch has ended: its directory was deleted, or the watch was removed.
    private func handleEnd(of descriptor: Int32) {
        guard table.remove(descriptor), inotify.keepsEndedWatches else { return }
        deadWatches += 1
        if deadWatches > options.deadWatchLimit {
            giveUp(.deadWatches)
        }
    }

    /// A directory's entry has changed.
    private func handle(_ mask: EventMask, of name: FilePath.Component, in directory: WatchTable.Entry) {
        guard let change = mask.change else { return }
        guard mask.contains(.directory) else {
            emit(.changed(directory: directory.path, name: name, change: change, isDirectory: false))
            return
        }
        let path = directory.path.appending(name)
        switch change {
        case .created, .movedIn:
            watchTree(at: path, announcing: true)
        case .deleted:
            forgetTree(at: path, isAlive: false)
        case .movedOut:
            forgetTree(at: path, isAlive: true)
        case .attributes, .contents, .written:
            emit(.changed(directory: directory.path, name: name, change: change, isDirectory: true))
            if obstacles[path] != nil {
                watchTree(at: path, announcing: true)
            }
        }
    }

    /// A watched directory itself was moved or deleted. Except for a root, the directory above it tells the same.
    private func handleSelf(_ event: KernelEvent, _ directory: WatchTable.Entry) {
        guard event.mask.contains(.selfMoved) || event.mask.contains(.selfDeleted),
            rootSet.contains(directory.path)
        else { return }
        let present = identity(at: directory.path)
        guard present != directory.identity else { return }
        detachTree(event.descriptor, isAlive: event.mask.contains(.selfMoved))
        removeObstacles(atOrBelow: directory.path)
        if present != nil {
            giveUp(.directoryReplaced)
        }
    }

    /// An event of a directory whose path is gone. That it still moves shows that its watch is alive, and of no use.
    private func handleLoose(_ event: KernelEvent) {
        if event.mask.contains(.selfMoved) {
            free([event.descriptor])
        }
    }

    /// A directory has left this path, unless what is there now is what is watched.
    ///
    /// - Parameter isAlive: Whether the directory exists elsewhere, with its watches.
    private func forgetTree(at path: FilePath, isAlive: Bool) {
        if let descriptor = table.descriptor(ofPath: path), let entry = table[descriptor] {
            // A walk may have met the next directory of this name before the event of the last one was read.
            if identity(at: path) == entry.identity { return }
            detachTree(descriptor, isAlive: isAlive)
        }
        removeObstacles(atOrBelow: path)
        emit(.directoryVanished(path))
    }

    /// Brings the watches in line with what is at their paths now, and tries again what could not be watched.
    func verify() {
        guard case .reading = phase else { return }
        for entry in Array(table.entries) {
            guard !control.endsWalk(), damage == nil else { return }
            verify(entry)
        }
        if !obstacles.isEmpty, damage == nil {
            retryObstacles()
        }
    }

    /// Brings the watch of one directory in line with what is at its path now.
    func verify(_ entry: WatchTable.Entry) {
        let present = identity(at: entry.path)
        if present == entry.identity { return }
        // A directory below a root that is just gone has its events in the queue.
        if present == nil, !rootSet.contains(entry.path) { return }
        forgetTree(at: entry.path, isAlive: true)
        if present != nil {
            watchTree(at: entry.path, announcing: true)
        }
    }
}
