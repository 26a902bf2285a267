package import RecordFormat
internal import TraceFiles
package import TraceStore
internal import TraceText

extension PracticeWriting {
    /// Groups that have ended are archived, from the start of the day after their last one on; and where that is switched on, the player's
    /// scores come from the league's table.
    ///
    /// The write is that of a group and its last day: a group that somebody opens again stays open. It is that of a table: an import that
    /// somebody takes back is made again with another table.
    ///
    /// Source: docs/practice.md#writing.
    package func dueWrites(
        in snapshot: JournalSnapshot, at now: Timestamp, zone: ZoneRules
    ) throws -> [DueWrite] {
        guard let contents = try snapshot.readFile(.practiceDocument)?.contents else { return [] }
        let reading = try PracticeReading(contents, now: now, isChecked: false)
        guard reading.isWritable, let document = reading.document else { return [] }
        let archives = document.groups.expired(at: now, in: zone).compactMap { group -> DueWrite? in
            guard let id = group.id, let end = group.end else { return nil }
            let due = zone.startOfDay(of: Timestamp(flooring: end), plus: 1).clamped
            return DueWrite(
                "\(UUIDText.key(id)) \(DocumentNumber.text(end))", .archiveGroups,
                Arguments().setting(GroupWrite.groups, to: .array([.text(id)])), time: due)
        }
        // A league that can't be read is a finding, and keeps no group open.
        let filling = try? leagueImport(in: snapshot, of: document, at: now, zone: zone)
        return archives + [filling].compactMap(\.self)
    }

    /// Nil if it is not switched on, or would bring nothing.
    private func leagueImport(
        in snapshot: JournalSnapshot, of document: PracticeDocument, at now: Timestamp, zone: ZoneRules
    ) throws -> DueWrite? {
        let directory = snapshot.directory
        guard try SlotsWriting.read(directory).slots.fillsLeague,
            let source = try PracticeLeagueFiles.source(in: directory, zone: zone.name),
            let time = try PracticeLeagueFiles.tableTime(in: directory)
        else { return nil }
        let planned = try source.scores(
            of: nil, into: document, library: PracticeLibraryFile.library(in: directory),
            entry: IDGenerator.next(), at: now)
        guard planned.counts.imported + planned.counts.repaired > 0 else { return nil }
        return DueWrite(
            "league \(document.settings.ownPlayer)", .leagueImport,
            Arguments().setting(LeagueImportWrite.zone, zone.name), time: min(time, now).clamped)
    }
}
