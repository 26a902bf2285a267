internal import ArgumentParser
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// `trace practice import FILE`
struct PracticeImportCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take an app's file into a journal whose document is empty yet.",
        discussion: """
            The file is the app's document, an object of its stored keys, or Android's older form, which is converted.
            """)

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    private static let shownFindings = 20

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let target = try context.practiceJournal(options)
            guard let path = target.candidate?.path else { return }
            let read = try PracticeFile(context.contents(ofFile: file, limit: 64 << 20), named: file)
            try read.take(into: context.libraryWriter.journalWriter(at: path), isDry: dryRun)
            context.warn(of: read.findings.prefix(Self.shownFindings))
            let left = read.findings.count - Self.shownFindings
            if left > 0 {
                context.notice("\(left) more; 'trace practice convert' shows all of them")
            }
            Output.done(
                "\(dryRun ? "would import" : "imported"): \(file) into \(path.escaped)",
                global.json
                    ? .object { object in
                        object.member("file", file)
                        object.member("journal_path", path.escaped)
                        object.member("findings", DocumentNumber.json(read.findings.count))
                        object.member("done", JSONText(!dryRun))
                    } : nil)
        }
    }
}

extension CommandContext {
    /// Says what is wrong with an app's file, or is not in the document that it comes to.
    fileprivate func warn(of findings: some Sequence<Finding>) {
        for finding in findings { notice("warning: \(finding.message) [\(finding.rule.id)]") }
    }
}

/// `trace practice convert FILE`
struct PracticeConvert: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Print the document of schema 4 that an app's file comes to.")

    @Argument(help: "The file; - is standard input.", completion: .file())
    var file: String
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let read = try PracticeFile(context.contents(ofFile: file, limit: 64 << 20), named: file)
            context.warn(of: read.findings)
            Output.line(String(decoding: read.document, as: UTF8.self))
        }
    }
}

/// `trace practice canonicalise`
struct PracticeCanonicalise: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "canonicalise", abstract: "Write every id of a game as the library has it.")

    @Flag(name: [.customShort("n"), .long], help: "Only show what would be changed.")
    var dryRun = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let journal = try context.openedPractice(options)
            let change = try Canonicalisation.change(of: journal.document, by: journal.library)
            let slots = try journal.slots.canonicalisation(by: journal.library)
            let count = change.replaced.count + change.members.count + slots.count
            if !dryRun, count > 0 {
                let target = try context.practiceJournal(options)
                let entry = SpoolEntry(
                    id: IDGenerator.next(),
                    kind: EntryOperation(.canonicalise),
                    journalID: target.id, createdAt: Clock.now(), payload: .object { _ in })
                _ = try context.libraryWriter.perform(entry, in: target, mayQueue: false)
            }
            Output.done(
                "\(dryRun ? "would change" : "changed"): \(count) \(count == 1 ? "place" : "places")",
                global.json
                    ? .object { object in
                        object.member("changes", DocumentNumber.json(count))
                        object.member("done", JSONText(!dryRun))
                    } : nil)
        }
    }
}
