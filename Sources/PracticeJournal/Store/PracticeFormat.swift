package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceStore
internal import TraceText

/// The practice journals: a directory with `practice.json`, or an app's document on its own.
///
/// Source: docs/practice.md#the-directory.
package struct PracticeFormat: JournalFormat {
    package let layout = JournalLayout.practice
    package let fileNames = JournalLayout.practice.files.compactMap { FilePath.Component($0.baseName) }

    package let writing: (any JournalWriting)?

    /// - Parameter writing: What writes; tests have a clock of their own.
    package init(writing: PracticeWriting = PracticeWriting()) { self.writing = writing }

    /// What `practice.json` says. A single file has no header, and is called by its name.
    package func header(of snapshot: JournalSnapshot) throws -> JournalHeader {
        guard snapshot.single == nil else {
            var header = JournalHeader()
            header.epoch = Timestamp(milliseconds: 0)
            header.title = snapshot.single?.escaped
            return header
        }
        var header = try JournalHeader(of: snapshot, as: PracticeHeader.schema)
        header.findings += try ConflictCopies(in: snapshot.directory).findings
        return header
    }

    /// The records of the document and of the library's log; of the library, whether it can be read; of the tables of a league, what is
    /// wrong with them, and nothing of what they say.
    package func read(_ slot: FileSlot, of snapshot: JournalSnapshot) throws -> DocumentReading? {
        try read(slot, of: snapshot, withRecords: true)
    }

    package func findings(in slot: FileSlot, of snapshot: JournalSnapshot) throws -> [Finding] {
        try read(slot, of: snapshot, withRecords: false)?.findings ?? []
    }

    private func read(
        _ slot: FileSlot, of snapshot: JournalSnapshot, withRecords: Bool
    ) throws -> DocumentReading? {
        guard let file = try snapshot.readFile(slot) else { return nil }
        var reading = DocumentReading(file.identity)
        let name = snapshot.name(of: slot) ?? ""
        switch slot {
        case .practiceRefused: reading.findings = RefusedReplica.findings(file.contents)
        case _ where slot.libraryFile != nil:
            guard let library = slot.libraryFile else { break }
            reading.findings = try PracticeLibraryFile.findings(
                in: library, file.contents,
                besides: try snapshot.readFile(.practiceManifest)?.contents)
        case .practiceManifest: reading.findings = PracticeLibraryFile.findings(ofManifest: file.contents)
        case .practiceDocument:
            let library = try PracticeLibraryFile.library(of: snapshot)
            let read = try PracticeImport(file.contents, file: name, library: library, now: Clock.now())
            if withRecords {
                reading.records =
                    IndexedPracticeRecords(
                        read.reading, isStored: read.isStored, library: library,
                        redaction: PracticeLeagueFiles.redaction(of: snapshot)
                    ).records
            }
            reading.findings = read.findings
        case .leagueStats, .leagueStandings, .leagueTargets, .leagueRedaction, .cachedStats, .cachedStandings,
            .cachedTargets, .cachedRedaction:
            reading.findings = PracticeLeagueFiles.findings(in: slot, file.contents, named: name)
        case .practiceSlots:
            do throws(FormatError) { _ = try ResumeSlots(file.contents) } catch {
                reading.findings = [Finding(.jsonSyntax, at: Finding.Place(file: name), error.message)]
            }
        default:
            let library = try PracticeLibraryFile.library(of: snapshot)
            do throws(FormatError) {
                let log = try LibraryLog(file.contents, library: library)
                if withRecords {
                    reading.records = IndexedPracticeRecords(log, library: library).records
                }
            } catch {
                reading.findings = [Finding(.jsonSyntax, at: Finding.Place(file: name), error.message)]
            }
        }
        return reading
    }
}
