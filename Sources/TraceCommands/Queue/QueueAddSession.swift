internal import ArgumentParser
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `trace queue add session …`
struct QueueAddSession: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Queue the start of a session, its end, a pause, or another title.",
        subcommands: [
            QueueAddSessionStart.self, QueueAddSessionPause.self, QueueAddSessionResume.self,
            QueueAddSessionClose.self, QueueAddSessionEdit.self,
        ])
}

/// `trace queue add session start`
struct QueueAddSessionStart: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Queue the start of a session.",
        discussion: "--session takes the id that it gets: a ULID that nothing else has.")

    @Option(parsing: .unconditional, help: "What it is called.", transform: words)
    var title: String?
    @OptionGroup var options: ChangeOptions

    func run() throws {
        try CommandFailure.explaining { try options.add(.startSession) { $0.title = title } }
    }
}

/// `trace queue add session pause`
struct QueueAddSessionPause: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Queue a pause of a session.",
        discussion: "It is refused if another device has made something after that moment.")

    @OptionGroup var options: ChangeOptions

    func run() throws { try CommandFailure.explaining { try options.add(.pauseSession) } }
}

/// `trace queue add session resume`
struct QueueAddSessionResume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Queue the end of a pause.")

    @OptionGroup var options: ChangeOptions

    func run() throws { try CommandFailure.explaining { try options.add(.resumeSession) } }
}

/// `trace queue add session close`
struct QueueAddSessionClose: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "close", abstract: "Queue the end of a session.",
        discussion: "It is refused if another device has made something after that moment.")

    @OptionGroup var options: ChangeOptions

    func run() throws { try CommandFailure.explaining { try options.add(.closeSession) } }
}

/// `trace queue add session edit`
struct QueueAddSessionEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Queue another title of a session.")

    @Option(parsing: .unconditional, help: "The title; '' for none.", transform: words)
    var title: String
    @Option(help: "What is there now, as a JSON object; by default, what the session has.")
    var was: String?
    @OptionGroup var options: ChangeOptions

    func run() throws {
        try CommandFailure.explaining {
            try options.add(.editSession) { change in
                change.set = [("title", JSONText(title))]
                change.was = was
            }
        }
    }
}
