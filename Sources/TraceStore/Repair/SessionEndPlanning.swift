internal import TraceCrypto
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

extension RepairPlanner {
    /// Puts back the `session_end` of a closed session where `session.json` says when it ended.
    ///
    /// The line is made of what `session.json` says alone, its id too: every device, and every repair, writes the same one.
    mutating func planSessionEnd(_ header: (fix: HeaderFix, timeline: PlannedTimeline)) throws {
        guard !header.timeline.hasEnd, let end = header.fix.end, let session = header.fix.session.id,
            let file = contents.header, !isTimelineWaiting,
            let timeline = try timelineAsPlanned(), timeline.new.last ?? newline == newline
        else { return }
        // Who closes a session may write session.json first.
        guard contents.session.isSettled(file.identity),
            timeline.old.map({ contents.session.isSettled($0.identity) }) ?? true
        else {
            return wait(for: RecordKind.timeline.fileName, "its session_end may still be in transit")
        }
        let entry = TimelineEntry(
            id: Self.sessionEndID(at: end.offset, end.moment, of: session), kind: .sessionEnd,
            offset: end.offset, wallTime: end.moment,
            createdAt: end.moment)
        let lines = try RecordLines(timeline.new, kind: .timeline)
        // A line that was edited into something else is not ours to edit back.
        guard !lines.lines.contains(where: { $0.facts?.id == entry.id }) else { return }
        var bytes = timeline.new
        bytes.insert(
            contentsOf: entry.json.bytes + [newline],
            at: lines.timelinePlace(at: end.offset) ?? bytes.count)
        planned[.timeline] = Change(old: timeline.old, new: bytes)
        let reason =
            "missing session_end added at \(end.offset.milliseconds), where the session ends according to session.json"
        // The fixes are in the order of the files.
        let name = RecordKind.timeline.fileName
        plan.fixes.insert(
            Fix(.sessionEnd, in: name, reason), at: plan.fixes.prefix { $0.file == name }.count)
    }

    /// Whether the timeline, or a copy that may bring its end, is left alone for now.
    private var isTimelineWaiting: Bool {
        let copies = contents.copies(of: RecordKind.timeline.fileName).map(\.text)
        return plan.waiting.contains { $0.file == RecordKind.timeline.fileName || copies.contains($0.file) }
    }

    /// Nil if there is no timeline that can be read.
    private func timelineAsPlanned() throws -> Change? {
        if let change = planned[.timeline] { return change }
        guard contents.files.contains(RecordKind.timeline.fileName),
            case .whole(let file)? = try contents.wholeIfReadable(.timeline)
        else { return nil }
        return Change(old: file, new: file.contents)
    }

    /// The id of the `session_end` that is put back; the same wherever and however often that is done.
    static func sessionEndID(at offset: SessionOffset, _ moment: Timestamp, of session: ULID) -> ULID {
        let text = "session_end \(session) \(offset.milliseconds)"
        return ULID(milliseconds: moment.milliseconds, digest: SHA256.hash(data: Array(text.utf8)))
    }
}
