internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// `trace journal init KIND DIR`
struct JournalInit: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a journal.",
        discussion: "Sessions are made with 'trace session init'.")

    @Argument(help: "The kind of journal: practice.", transform: words)
    var kind: String
    @Argument(help: "Its directory; it is created if it does not exist.", completion: .directory)
    var directory: String
    @OptionGroup var header: JournalHeaderOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let creation = try JournalCreation(of: JournalKind(name: kind), Journals.all)
            let path = context.absolute(FilePath(argument: directory))
            let header = try header.header()
            try creation.make(at: path, header)
            report("created", path, header, isJSON: global.json)
        }
    }
}

/// `trace journal adopt FILE`
struct JournalAdopt: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt", abstract: "Make a journal of a file that an app has left.",
        discussion: """
            The journal is the directory of the file, which stays as it is. Where it has another name than the journal's document, or an \
            older form, the document that it comes to is written beside it.
            """)

    @Argument(help: "The file.", completion: .file())
    var file: String
    @Option(help: "The kind of journal.", transform: words)
    var kind = "practice"
    @OptionGroup var header: JournalHeaderOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let creation = try JournalCreation(of: JournalKind(name: kind), Journals.all)
            let path = context.absolute(FilePath(argument: file))
            let header = try header.header()
            try creation.adopt(path, header)
            report("adopted", path.removingLastComponent(), header, isJSON: global.json)
        }
    }
}

/// `trace journal retention`
struct JournalRetention: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention", abstract: "Remove what a journal keeps only for a time.",
        discussion: "Says of kinds without a retention that they have none, and removes nothing.")

    @Option(help: "The kind of journal.", transform: words)
    var kind = "practice"
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be removed.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            _ = try CommandContext(global)
            guard Journals.all[JournalKind(name: kind)] != nil else {
                throw CommandFailure(.usage, "'\(kind)' is not a kind of journal")
            }
            Output.done(
                "journals of the kind '\(kind)' keep everything",
                global.json
                    ? .object { object in
                        object.member("kind", kind)
                        object.member("removed", JSONText(Int64(0)))
                    } : nil)
        }
    }
}

/// What a new journal is called.
struct JournalHeaderOptions: ParsableArguments {
    @Option(help: "The title.", transform: words)
    var title: String?
    @Option(
        help: "The zone in which its days are counted: Europe/Berlin; by default, that of the configuration.")
    var timeZone: String?

    func header() throws -> JournalCreation.Header {
        if let timeZone { _ = try ZoneFiles.rules(named: timeZone) }
        return JournalCreation.Header(
            id: IDGenerator.next(), title: title, timeZone: timeZone, createdAt: Clock.now())
    }
}

private func report(
    _ verb: String, _ path: FilePath, _ header: JournalCreation.Header, isJSON: Bool
) {
    Output.done(
        "\(verb): \(path.escaped) (id \(header.id))",
        isJSON
            ? .object { object in
                object.member("id", JSONText(header.id))
                object.member("path", path.escaped)
                object.member("title", header.title.map { JSONText($0) })
            } : nil)
}
