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

/// Says what has been made.
func report(_ verb: String, _ path: FilePath, _ header: JournalCreation.Header, isJSON: Bool) {
    Output.done(
        "\(verb): \(path.escaped) (id \(header.id))",
        isJSON
            ? .object { object in
                object.member("id", JSONText(header.id))
                object.member("path", path.escaped)
                object.member("title", header.title.map { JSONText($0) })
            } : nil)
}
