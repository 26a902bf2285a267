internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

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

extension JournalCreation.Header {
    /// Says what has been made of it.
    func report(_ verb: String, _ path: FilePath, isJSON: Bool) {
        Output.done(
            "\(verb): \(path.escaped) (id \(id))",
            isJSON
                ? .object { object in
                    object.member("id", JSONText(id))
                    object.member("path", path.escaped)
                    object.member("title", title.map { JSONText($0) })
                } : nil)
    }
}
