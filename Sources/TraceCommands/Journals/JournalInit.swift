internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// `trace journal init KIND DIR`
struct JournalInit: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make a journal.",
        discussion: "Sessions are made with 'trace session init'.")

    @Argument(
        help: "The kind of journal: \(JournalKind.writable.map(\.name).joined(separator: ", ")).",
        completion: .journalKinds, transform: journalKind)
    var kind: JournalKind
    @Argument(help: "Its directory; it is created if it does not exist.", completion: .directory)
    var directory: String
    @OptionGroup var header: JournalHeaderOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let creation = try JournalCreation(of: kind, Journals.all)
            let path = context.absolute(FilePath(argument: directory))
            let header = try header.header()
            try creation.make(at: path, header)
            header.report("created", path, isJSON: global.json)
            context.warnIfOutsideRoots(
                path, "'trace \(kind.name)' finds it only if the journal is given", "journals")
        }
    }
}

extension JournalKind {
    /// Those that commands make besides sessions.
    static var writable: [JournalKind] {
        Journals.all.formats.filter { $0.writing != nil }.map(\.layout.kind)
    }

    /// The first that can be made of a file that an app has left.
    static var adoptable: JournalKind {
        Journals.all.formats.first { $0.layout.single != nil }?.layout.kind ?? .session
    }
}
