internal import ArgumentParser
internal import Dispatch
internal import Synchronization
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText
internal import TraceWatch

/// `trace watch`
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow sessions live: markers, voice notes, actions, findings, the queue.",
        discussion: """
            Prints a line for whatever comes, changes or goes from now on, by whoever wrote it, until it is interrupted; with \
            --json an object a line. Without a session it follows all of them below the roots, and those that come. It needs no \
            daemon. Where inotify can't serve, it looks every two seconds.
            """)

    @Argument(help: "The session; all of them if left out.", completion: .sessions)
    var session: String?
    @Option(help: "Stop after so many lines.")
    var count: Int?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count must be 1 or more") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            try ThreadRoom.require(ThreadRoom.width + 4)
            let selected = session ?? global.session
            let path = try selected.map { try workplace.session($0) }
            let settings = workplace.settings
            let follower = try Follower(
                settings: settings, only: path, queue: workplace.queue,
                index: try? workplace.library.openIndex(),
                form: global.json ? .json : .text(workplace.zone), limit: count)
            let targets = path.map { [$0] } ?? settings.roots
            let isQuiet = global.quiet
            try Blocking.run {
                try await Self.follow(follower, targets + settings.spools, isQuiet: isQuiet)
            }
        }
    }

    /// How often it is asked what has come to rest, and after how many times of that it is looked where no event comes
    /// from.
    private static let tickInterval = Duration.milliseconds(200)
    private static let ticksPerPoll = 10

    private static func follow(_ follower: Follower, _ directories: [FilePath], isQuiet: Bool) async throws {
        // Armed before the first look, so that nothing falls between the two.
        let watcher: Watcher?
        do { watcher = try await Watcher(roots: directories) } catch {
            Output.error("warning: \(error)\n  hint: looking every two seconds instead")
            watcher = nil
        }
        let sessions = await follower.begin()
        if !isQuiet { Output.error("watching \(counted(sessions, "session"))") }
        await withTaskGroup { group in
            if let watcher {
                group.addTask {
                    for await event in watcher where await !follower.handle(event) { break }
                }
            }
            group.addTask {
                var ticks = 0
                while (try? await Task.sleep(for: tickInterval)) != nil {
                    ticks += 1
                    guard await follower.tick() else { break }
                    guard ticks.isMultiple(of: ticksPerPoll) else { continue }
                    guard await follower.poll(everything: watcher == nil) else { break }
                }
            }
            await group.next()
            watcher?.stop()
            group.cancelAll()
        }
    }
}

/// Waits for asynchronous work on the thread of a command, which has nothing else to do.
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
