internal import DequeModule
import Glibc
import SystemPackage
internal import TraceFiles
internal import TraceText

/// The state and logic of the watcher's thread; it is created and destroyed on that thread.
final class WatchLoop {
    /// Whether events can be read.
    enum Phase {
        case reading
        /// Events were lost; inotify is closed until ``WatchLoop/recovery`` is due.
        case broken(RescanReason)
    }

    let roots: [FilePath]
    let rootSet: Set<FilePath>
    let options: WatchOptions
    let control: WatchControl
    private let buffer: EventBuffer

    let inotify: any Inotify
    var table = WatchTable()
    var phase = Phase.reading
    /// The first reason to give up the present set of watches; acted upon between two events.
    private(set) var damage: RescanReason?
    var recovery: Backoff
    var lastRecovery: ContinuousClock.Instant?
    /// Watches that have ended and whose memory only closing inotify gives back.
    var deadWatches = 0

    var missingRoots: Set<FilePath> = []
    var rootRetry: Backoff
    /// Directories that can't be watched, and why.
    var obstacles: [FilePath: WatchError.Code] = [:]
    var obstacleRetry: Backoff
    var mounts: MountTable
    /// The types of the file systems seen so far, by device number.
    var remoteTypes: [UInt64: String?] = [:]

    /// Events that were read while a tree was being walked, oldest first.
    private var backlog: Deque<KernelEvent> = []
    /// Watches whose end is reported in the backlog.
    private var endsInBacklog: Set<Int32> = []

    /// - Throws: ``WatchError`` with `.alreadyRunning` where a process has room for one.
    init(roots: [FilePath], options: WatchOptions, control: WatchControl, buffer: EventBuffer)
        throws(WatchError)
    {
        self.roots = roots
        rootSet = Set(roots)
        self.options = options
        self.control = control
        self.buffer = buffer
        recovery = Backoff(options.recoveryDelay)
        rootRetry = Backoff(options.rootRetry)
        obstacleRetry = Backoff(options.unwatchedRetry)
        mounts = MountTable(below: roots)
        inotify = try options.backend.make()
    }

    /// Opens inotify and watches all that is below the roots; where it can't be opened, the roots are unwatched until it
    /// can.
    func arm() {
        do throws(WatchError) {
            try inotify.open()
            for root in roots {
                watchTree(at: root, announcing: false)
            }
            noteMissingRoots()
        } catch {
            phase = .broken(.watchedAtLast)
            noteUnavailable(error)
        }
        control.directoryCount = table.count
    }

    /// Serves until the watcher is stopped.
    func run() {
        while !control.isStopping {
            runOnce()
        }
    }

    /// Does all there is to do, and sleeps until there is more.
    func runOnce() {
        let isDrained = handleEvents()
        for request in control.acknowledge() {
            perform(request)
        }
        tearDownIfDamaged()
        handleDeadlines()
        noteMissingRoots()
        // What was asked for or due may have read events. A stop that came since the turn began has had its wake-up taken by
        // `acknowledge`.
        if isDrained, backlog.isEmpty, damage == nil, !control.isStopping {
            sleep()
        }
    }

    func emit(_ event: WatchEvent) {
        control.directoryCount = table.count
        control.stillness.end()
        buffer.push(event)
    }

    /// Gives up the present set of watches as soon as the event at hand is done with.
    func giveUp(_ reason: RescanReason) {
        damage = damage ?? reason
        control.stillness.end()
    }

    /// Empties all that belongs to the present set of watches.
    func forgetWatches() {
        table.removeAll()
        backlog = []
        endsInBacklog = []
        deadWatches = 0
        damage = nil
        remoteTypes = [:]
    }

    /// Reads what the kernel has queued and keeps it for later, so that its queue does not overflow during a walk.
    func drainEvents() {
        do {
            while backlog.count < options.bufferCapacity, let event = try inotify.nextEvent() {
                backlog.append(event)
                if event.mask.contains(.watchEnded) {
                    endsInBacklog.insert(event.descriptor)
                }
            }
        } catch {
            giveUp(.readFailure)
        }
    }

    /// Handles what has been read and what the kernel has queued until now; what comes meanwhile is left.
    ///
    /// - Returns: Whether that was all of it.
    func handleQueued() -> Bool {
        drainEvents()
        let isAll = backlog.count < options.bufferCapacity
        // Handling an event may read others, which follow these.
        for _ in 0..<backlog.count {
            guard !control.isStopping, damage == nil, let event = takeFromBacklog() else { return false }
            handle(event)
        }
        return isAll && damage == nil
    }

    private func takeFromBacklog() -> KernelEvent? {
        guard let event = backlog.popFirst() else { return nil }
        if event.mask.contains(.watchEnded) { endsInBacklog.remove(event.descriptor) }
        return event
    }

    /// Removes loose watches, except those that have ended by themselves.
    ///
    /// To remove one that the kernel has ended does no harm, but libinotifytools writes to standard error about it.
    func free(_ descriptors: some Sequence<Int32>) {
        drainEvents()
        for descriptor in descriptors where !endsInBacklog.contains(descriptor) {
            if inotify.remove(descriptor) {
                table.markFreed(descriptor)
            }
        }
    }
}

extension WatchLoop {
    /// Handles events until there are none.
    ///
    /// - Returns: Whether none is left that was read, as it must be when the descriptor is polled. False
    ///   after some thousand events, so that requests get their turn.
    private func handleEvents() -> Bool {
        guard case .reading = phase else { return true }
        do {
            for _ in 0..<4096 {
                guard !control.isStopping, damage == nil else { return false }
                guard let event = try nextEvent() else { return true }
                handle(event)
            }
        } catch {
            giveUp(.readFailure)
        }
        return false
    }

    private func nextEvent() throws(Errno) -> KernelEvent? {
        if let event = takeFromBacklog() { return event }
        return try inotify.nextEvent()
    }

    private func perform(_ request: WatchControl.Request) {
        switch request {
        case .verify: verify()
        case .barrier(let number): passBarrier(number)
        case .run(let body): body()
        }
    }

    /// Sleeps until there is an event, a request or something due; the backlog is empty.
    private func sleep() {
        // What a walk took is given back.
        backlog = []
        var sources = [pollfd(fd: control.wakeUp.rawValue, events: Int16(POLLIN), revents: 0)]
        if case .reading = phase, let descriptor = inotify.descriptor {
            sources.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            control.stillness.fallAsleep(descriptor)
        }
        _ = poll(&sources, nfds_t(sources.count), millisecondsToDeadline())
        control.stillness.wakeUp()
    }

    /// Milliseconds until something is due, rounded up; −1 if nothing is.
    func millisecondsToDeadline() -> Int32 {
        let deadlines =
            switch phase {
            case .broken: [recovery.deadline]
            case .reading: [rootRetry.deadline, obstacleRetry.deadline]
            }
        guard let next = deadlines.compactMap({ $0 }).min() else { return -1 }
        let left = next - .now
        guard left > .zero else { return 0 }
        return Int32(min(left / .milliseconds(1), 86_400_000).rounded(.up))
    }
}
