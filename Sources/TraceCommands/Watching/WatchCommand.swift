internal import ArgumentParser
internal import Dispatch
internal import Journals
internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceWatch

/// `trace watch`
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            "Follow sessions live: markers, voice notes, actions, findings, the queue; other journals as a whole.",
        discussion: """
            Prints a line for everything that is added, changed or removed from now on, by any program, until it is interrupted; with \
            --json, an object per line. Without a session, it follows all sessions below the roots, including new ones. Of a journal of \
            another kind, which is named by its path, id or title, it prints that it appeared, changed or vanished. It needs no daemon. \
            Where inotify can't be used, it polls every two seconds.
            """)

    @Argument(help: "The session or other journal; by default all of them.", completion: .sessions)
    var session: String?
    @Option(help: "Stop after this many lines.")
    var count: Int?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            try ThreadCapacity.require(ThreadCapacity.width + 4)
            let selected = session ?? global.session
            let path = try selected.map { try context.readJournal($0) }
            let settings = context.settings
            let printer = try EventPrinter(
                global.json ? .json : .text(context.zone), limit: count)
            let follower = Follower(
                context.roots, only: path, queue: context.queue,
                index: try? context.library.openIndex(), settleTime: settings.settleTime
            ) { printer.show($0) }
            // What is watched is a directory.
            let targets =
                path.map { [Journals.all.isSingleFile(at: $0) ? $0.removingLastComponent() : $0] }
                ?? settings.roots
            let isQuiet = global.quiet
            try Blocking.run {
                try await Self.follow(
                    follower, targets + settings.spools, isQuiet: isQuiet, isDone: { printer.isDone })
            }
        }
    }

    /// How often it is asked what has come to rest, and after how many times of that it is looked where no event comes
    /// from.
    private static let tickInterval = Duration.milliseconds(200)
    private static let ticksPerPoll = 10

    private static func follow(
        _ follower: Follower, _ directories: [FilePath], isQuiet: Bool, isDone: @escaping @Sendable () -> Bool
    ) async throws {
        // Armed before the first look, so that nothing falls between the two.
        let watcher: Watcher?
        do { watcher = try await Watcher(roots: directories) } catch {
            Output.error("warning: \(error)\n  hint: polling every two seconds instead")
            watcher = nil
        }
        let counts = JournalCounts(await follower.begin())
        if !isQuiet { Output.error("watching \(counts.textOfPresent)") }
        await withTaskGroup { group in
            if let watcher {
                group.addTask {
                    for await event in watcher {
                        guard let hint = event.hint else { continue }
                        await follower.handle(hint)
                        if isDone() { break }
                    }
                }
            }
            group.addTask {
                var ticks = 0
                while (try? await Task.sleep(for: tickInterval)) != nil {
                    ticks += 1
                    await follower.tick()
                    if !isDone(), ticks.isMultiple(of: ticksPerPoll) {
                        await follower.poll(everything: watcher == nil)
                    }
                    if isDone() { break }
                }
            }
            await group.next()
            watcher?.stop()
            group.cancelAll()
        }
    }
}

/// Prints events, up to a number of lines.
private final class EventPrinter: Sendable {
    /// How lines are printed.
    enum Form {
        case json
        /// For people, with times of a zone.
        case text(ZoneRules)
    }

    private let form: Form
    /// How many lines may still be printed; nil for any number.
    private let left: Mutex<Int?>

    init(_ form: Form, limit: Int?) {
        self.form = form
        left = Mutex(limit)
    }

    /// Whether nothing more is wanted.
    var isDone: Bool { left.withLock { $0 == 0 } || Output.isClosed }

    func show(_ event: LibraryEvent) {
        left.withLock { left in
            guard left != 0 else { return }
            switch form {
            case .json: Output.json(event.json())
            case .text(let zone): Output.line(event.text(in: zone))
            }
            left = left.map { $0 - 1 }
        }
    }
}

extension WatchEvent {
    /// Where it says to look; nil for the answer to a question that nobody asks here.
    fileprivate var hint: FollowHint? {
        switch self {
        case .changed(let directory, let name, _, _): .changed(directory, name)
        case .directoryAppeared(let directory): .appeared(directory)
        case .directoryVanished(let directory): .vanished(directory)
        case .rescan: .lost
        case .unwatched(let directory, _): .unwatched(directory)
        case .watchedAgain(let directory): .watchedAgain(directory)
        case .barrier: nil
        }
    }
}

/// Blocks a command's thread until asynchronous work is done.
enum Blocking {
    static func run(_ work: @escaping @Sendable () async throws -> Void) throws {
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let finished = DispatchSemaphore(value: 0)
        Task {
            do {
                try await work()
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            finished.signal()
        }
        finished.wait()
        try outcome.withLock { try $0?.get() }
    }
}
