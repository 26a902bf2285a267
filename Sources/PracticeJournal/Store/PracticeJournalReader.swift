package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Reads a practice journal's directory for questions; nothing is locked, and nothing written.
package struct PracticeJournalReader: Sendable {
    private let directory: OpenDirectory

    /// - Throws: ``FileError`` if the directory can't be opened.
    package init(_ path: FilePath) throws { directory = try OpenDirectory(path) }

    /// The games; none where there is no library, or what is in it is not one.
    ///
    /// - Throws: ``FileError`` if the library is there and can't be read.
    package func library() throws -> GameLibrary { try PracticeLibraryFile.library(in: directory) }

    /// The document, as it is read; one that is missing has nothing in it.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if it can't be read.
    package func document(now: Timestamp) throws -> PracticeDocument {
        let contents = try directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)?.contents
        let reading = try PracticeReading(contents ?? OpenedDocument.empty, now: now, isChecked: false)
        guard let document = reading.document else {
            throw FileError(
                .invalidData, reading.findings.first?.message ?? "can't be read",
                path: directory.path(of: OpenedDocument.file), cure: "\(verb: "validate") shows what is wrong"
            )
        }
        return document
    }

    /// Whom nobody is to see; everybody if the list is there and can't be read.
    package func redaction() -> NameRedaction { PracticeLeagueFiles.redaction(in: directory) }

    /// The tables of the league that are there.
    ///
    /// - Throws: ``FileError`` if one is there and can't be read.
    package func league(_ library: GameLibrary, _ tables: Set<LeagueTables.Table>) throws -> LeagueTables {
        func contents(_ table: LeagueTables.Table) throws -> [UInt8]? {
            guard tables.contains(table) else { return nil }
            return try PracticeLeagueFiles.contents(of: table.fileName, in: directory)
        }
        return LeagueTables(
            stats: try contents(.stats).map { LeagueStats($0) },
            standings: try contents(.standings).map { LeagueStandings($0) },
            targets: try contents(.targets).map { LeagueTargets($0, library: library) })
    }

    /// From where an import takes its scores; nil without a table of scores.
    ///
    /// - Parameter zone: The name of that in which days begin; nil for the machine's.
    /// - Throws: ``FileError``.
    package func leagueSource(zone: String?) throws -> LeagueSource? {
        try PracticeLeagueFiles.source(in: directory, zone: zone)
    }

    /// The name of the document, and the most bytes that are read of it.
    package static let document = (name: OpenedDocument.file, limit: OpenedDocument.limit)

    /// Where the person took up again last.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if that can't be read.
    package func slots() throws -> ResumeSlots { try SlotsWriting.read(directory).slots }

    /// The library's log.
    ///
    /// - Throws: ``FileError``, ``FormatError`` if it can't be read.
    package func log(_ library: GameLibrary) throws -> [LogEntry] {
        try LibraryLogWriting.read(directory, library: library)?.log.entries ?? []
    }
}
