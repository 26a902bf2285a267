internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

enum LibraryFetchVerb: DeclaredVerb {
    private static let url = Parameter<String?>(
        "url", "The address of the cache: https://example.org/pinball/", as: .argument)
    private static let from = Parameter<String?>(
        "from", "Take the files from a copy in this directory", .file
    ).with(completion: .directories)
    private static let files = Parameter<[String]>(
        "file", "Fetch this file of the cache, too. May be repeated")
    private static let all = Parameter<Bool>("all", "Fetch all files of the cache")

    static let verb = Verb(
        "fetch", "Fetch the library from a cache on the web, or from a copy",
        discussion: """
            Nothing is fetched unless this is asked for. The cache is where \(CacheManifest.fileName) is; without an address it is the one \
            that was used last. The library and the files that are in the cache already are brought up to date; a file is replaced only \
            if its SHA-256 is the manifest's. The manifest is asked for at most every 300 s, a file at most every 180 s. Needs curl.
            """, examples: ["https://example.org/pinball/", "--from copy"],
        [DeclaredParameter](url, from, files, all, .dryRun),
        check: { asked throws(ArgumentProblem) in
            if asked[url] != nil, asked[from] != nil { throw .refused("give an address or --from, not both") }
        }
    ) { asked, _ in .act(Act { place in try fetched(asked, place) }) }

    private static func fetched(_ asked: Arguments, _ place: any ActPlace) throws -> Answer {
        let isDry = asked[.dryRun]
        var fetch = LibraryFetch(try place.writer.path, runtimeDirectory: place.runtimeDirectory)
        fetch.formats = place.formats
        fetch.wantsAll = asked[all]
        fetch.isDry = isDry
        fetch.paths = try Set(
            asked[files].map { file in
                guard let path = CachePath(file) else {
                    throw FormatError(.recordInvalid, "'\(file)' is not a path below the library")
                }
                return path
            })
        let source = asked[from].map { LibrarySource(directory: place.absolute($0)) }
        let report = try fetch.run(
            from: source ?? asked[url].map { try LibrarySource(address: $0) })
        var answer = Answer(.one { json(report, isDry) }) { _ in [.lines(lines(report, isDry))] }
        answer.notices =
            report.left.map { "warning: \(CacheManifest.fileName): \($0)" }
            + report.failures.dropFirst().map { "warning: \($0.report.message)" }
        answer.failure = report.failures.first
        return answer
    }

    private static func json(_ report: LibraryFetch.Report, _ isDry: Bool) -> JSONText {
        .object { object in
            object.member("source", report.source.description)
            object.member("metadata", report.isMetadataRecent ? "recent" : "fetched")
            object.member("files", .array(report.files.map(file.json)))
            object.member("done", JSONText(!isDry))
        }
    }

    private static let file = Shape<(path: CachePath, result: LibraryFetch.Result)>(
        "FetchedFile", "A file of the cache",
        [
            .always("path", "below `library/`") { $0.path.text },
            .always("result", "fetched, current, recent, removed or failed") { $0.result.rawValue },
        ])

    private static func lines(_ report: LibraryFetch.Report, _ isDry: Bool) -> [String] {
        let head =
            report.isMetadataRecent
            ? ["the manifest was fetched less than 300 s ago, and was not asked for again"] : []
        return head + report.files.map { "\(word($0.result, isDry)): \($0.path.text.oneLine)" }
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
