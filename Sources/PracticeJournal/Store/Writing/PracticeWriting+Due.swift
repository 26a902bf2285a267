package import RecordFormat
internal import TraceFiles
package import TraceStore

extension PracticeWriting {
    /// Groups that have ended are archived, from the start of the day after their last one on.
    ///
    /// The write is that of a group and its last day: a group that somebody opens again stays open.
    ///
    /// Source: docs/practice.md#writing.
    package func dueWrites(
        in snapshot: JournalSnapshot, at now: Timestamp, zone: ZoneRules
    ) throws -> [DueWrite] {
        guard let contents = try snapshot.readFile(.practiceDocument)?.contents else { return [] }
        let reading = try PracticeReading(contents, now: now, isChecked: false)
        guard reading.isWritable, let groups = reading.document?.groups else { return [] }
        return groups.expired(at: now, in: zone).compactMap { group in
            guard let id = group.id, let end = group.end else { return nil }
            let due = zone.startOfDay(of: Timestamp(flooring: end), plus: 1).clamped
            return DueWrite(
                "\(UUIDText.key(id)) \(DocumentNumber.text(end))", .archiveGroups,
                Arguments().setting(GroupWrite.groups, to: .array([.text(id)])), time: due)
        }
    }
}
