internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

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
    @Option(help: "The kind of journal.", completion: .journalKinds, transform: journalKind)
    var kind = JournalKind.adoptable
    @OptionGroup var header: JournalHeaderOptions
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let creation = try JournalCreation(of: kind, Journals.all)
            let path = context.absolute(FilePath(argument: file))
            let header = try header.header()
            try creation.adopt(path, header)
            header.report("adopted", path.removingLastComponent(), isJSON: global.json)
            context.warnIfOutsideRoots(
                path.removingLastComponent(), "'trace \(kind.name)' finds it only if the journal is given",
                "journals")
        }
    }
}
