internal import ArgumentParser
internal import Journals
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceText

/// `trace practice library fetch [URL]`
struct PracticeLibraryFetch: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch", abstract: "Fetch the library from a cache on the web, or from a copy.",
        discussion: """
            Nothing is fetched unless this is asked for. The cache is where \(CacheManifest.fileName) is; without an address it is the one \
            that was used last. The library and the files that are in the cache already are brought up to date; a file is replaced only \
            if its SHA-256 is the manifest's. The manifest is asked for at most every 300 s, a file at most every 180 s. Needs curl.
            """)

    @Argument(help: "The address of the cache: https://example.org/pinball/", transform: words)
    var url: String?
    @Option(help: "Take the files from a copy in this directory.", completion: .directory)
    var from: String?
    @Option(
        name: .customLong("file"), help: "Fetch this file of the cache, too. May be repeated.",
        transform: words)
    var files: [String] = []
    @Flag(help: "Fetch all files of the cache.")
    var all = false
    @Flag(name: [.customShort("n"), .long], help: "Only show what would be done.")
    var dryRun = false
    @OptionGroup var options: PracticeOptions

    var global: GlobalOptions { options.global }

    func validate() throws {
        if url != nil, from != nil { throw ValidationError("give an address or --from, not both") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            var fetch = LibraryFetch(
                try context.practicePath(options), runtimeDirectory: context.settings.runtimeDirectory)
            fetch.formats = Journals.all
            fetch.wantsAll = all
            fetch.isDry = dryRun
            fetch.paths = try Set(
                files.map { file in
                    guard let path = CachePath(file) else {
                        throw FormatError(.recordInvalid, "'\(file)' is not a path below the library")
                    }
                    return path
                })
            let report = try fetch.run(from: try source(context))
            show(report, context)
            if let failure = report.failures.first {
                for failure in report.failures.dropFirst() {
                    context.notice("warning: \(failure.report.message)")
                }
                throw failure
            }
        }
    }

    private func source(_ context: CommandContext) throws -> LibrarySource? {
        if let from { return LibrarySource(directory: context.absolute(FilePath(argument: from))) }
        return try url.map { try LibrarySource(address: $0) }
    }

    private func show(_ report: LibraryFetch.Report, _ context: CommandContext) {
        for name in report.left { context.notice("warning: \(CacheManifest.fileName): \(name)") }
        if global.json {
            return Output.json(
                JSONText.object { object in
                    object.member("source", report.source.description)
                    object.member("metadata", report.isMetadataRecent ? "recent" : "fetched")
                    object.member(
                        "files",
                        .array(
                            report.files.map { file in
                                .object {
                                    $0.member("path", file.path.text)
                                    $0.member("result", file.result.rawValue)
                                }
                            }))
                    object.member("done", JSONText(!dryRun))
                })
        }
        if report.isMetadataRecent {
            Output.line("the manifest was fetched less than 300 s ago, and was not asked for again")
        }
        Output.lines(report.files.map { "\(Self.word($0.result, dryRun)): \($0.path.text.oneLine)" })
    }

    private static func word(_ result: LibraryFetch.Result, _ isDry: Bool) -> String {
        switch result {
        case .fetched: isDry ? "would replace" : "fetched"
        case .current: "up to date"
        case .recent: "fetched less than 180 s ago"
        case .removed: isDry ? "would remove" : "removed"
        case .failed: "failed"
        }
    }
}
