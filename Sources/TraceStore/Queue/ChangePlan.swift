internal import RecordFormat
internal import SystemPackage
internal import TraceCrypto
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// What an entry comes to in its session as that is now; nothing is written yet.
struct ChangePlan {
    /// The audio that goes where applied entries are, before the line that names it.
    var audio: (path: String, destination: FilePath)?
    /// Lines that are appended, each with the number of those that its record has.
    var lines: [(kind: RecordKind, id: ULID, line: [UInt8], place: Int)] = []
    /// What comes into the timeline.
    var timeline: TimelineEntry?
    /// The record that goes, with its lines; none if it is gone already.
    var removed: (kind: RecordKind, id: ULID, lines: [[UInt8]])?
    /// Members of `session.json` that get other texts.
    var header: [(key: String, before: [UInt8]?, after: [UInt8]?)] = []
    /// Whether the session is made by it.
    var makesSession = false
    /// What is otherwise than the sender saw it, and stays so.
    var conflicts: [MemberConflict] = []
    /// Whether more comes to light once this is done.
    var continues = false

    /// The steps, in the order in which ``LockedSession/perform(_:)`` does them.
    var steps: [ChangeNote.Step] {
        var steps: [ChangeNote.Step] = []
        if makesSession { steps.append(.init(change: .made)) }
        if let audio { steps.append(.init(change: .away(path: audio.path, to: audio.destination.string))) }
        for (kind, id, line, place) in lines {
            steps.append(.init(change: .appended(kind, id, NotedLine(whole: line)), place: place))
        }
        if let timeline {
            let line = NotedLine(whole: timeline.json.bytes)
            steps.append(.init(change: .appended(.timeline, timeline.id, line)))
        }
        if let removed, !removed.lines.isEmpty {
            steps.append(.init(change: .removed(removed.kind, removed.id, lines: removed.lines)))
        }
        for (key, before, after) in header {
            steps.append(.init(change: .header(key, before: before, after: after)))
        }
        return steps
    }
}

/// Plans a change of a session that is locked.
struct ChangePlanner {
    let session: LockedSession
    let entry: SpoolEntry
    let change: SessionChange
    /// Where audio goes that is taken out.
    let done: FilePath
    /// Whether a record is of who makes the change.
    let isOwn: (ULID) -> Bool

    /// - Throws: ``StoreError``, ``FileError``; `.invalidData` if the session can't have the change.
    func plan() throws -> ChangePlan {
        switch change.action {
        case .edit(.session, _, let wishes): try editing(wishes)
        case .edit(let kind, let id, let wishes): try editing(kind, id, wishes)
        case .remove(let kind, let id, let seen): try removing(kind, id, seen)
        case .start: ChangePlan(makesSession: true)
        case .pause: try pausing()
        case .resume: try resuming()
        case .close: try closing()
        }
    }

    // MARK: - Members

    /// The one way in which members are set: each where it is as it was seen.
    ///
    /// - Returns: The text with what could be set, and what could not.
    private func edited(
        _ text: [UInt8], _ wishes: [MemberWish], _ kind: RecordKind
    ) throws -> (text: [UInt8], due: [MemberWish], conflicts: [MemberConflict]) {
        do {
            var object = try JSONObjectEditor(text)
            let (due, conflicts) = try wishes.compared(with: object)
            try object.set(due)
            try RecordCheck.require(object.bytes, toBe: kind, noWorseThan: text)
            return (object.bytes, due, conflicts)
        } catch let error as FormatError {
            throw FileError(
                .invalidData, error.message, path: session.directory.path(of: kind.component),
                cure: error.cure)
        }
    }

    private func editing(_ wishes: [MemberWish]) throws -> ChangePlan {
        let text = try session.headerText()
        let (_, due, conflicts) = try edited(text, wishes, .session)
        let before = try JSONObjectEditor(text)
        return ChangePlan(
            header: try due.map { ($0.name, try before.text(of: $0.name).map { Array($0) }, $0.wanted) },
            conflicts: conflicts)
    }

    private func editing(_ kind: RecordKind, _ id: ULID, _ wishes: [MemberWish]) throws -> ChangePlan {
        let lines = try session.allLines(of: id, in: kind)
        guard let last = lines.last else {
            return ChangePlan(conflicts: wishes.map { MemberConflict($0, now: nil) })
        }
        let (line, due, conflicts) = try edited(last, wishes, kind)
        return ChangePlan(lines: due.isEmpty ? [] : [(kind, id, line, lines.count)], conflicts: conflicts)
    }

    // MARK: - Records

    private func removing(_ kind: RecordKind, _ id: ULID, _ seen: [MemberWish]) throws -> ChangePlan {
        let lines = try session.allLines(of: id, in: kind)
        var plan = ChangePlan(removed: (kind, id, lines))
        guard let last = lines.last else { return plan }
        let (_, _, conflicts) = try edited(last, seen, kind)
        guard conflicts.isEmpty else { return ChangePlan(conflicts: conflicts) }
        let (other, reference): (RecordKind, String) =
            kind == .marker ? (.voiceNote, "marker_id") : (.marker, "voice_note_id")
        for record in try session.referring(to: [id], in: other).map(\.record) {
            let lines = try session.allLines(of: record, in: other)
            guard let last = lines.last else { continue }
            let wish = MemberWish(name: reference, was: JSONText(id).bytes, wanted: nil)
            plan.lines.append((other, record, try edited(last, [wish], other).text, lines.count))
        }
        if kind == .voiceNote { plan.audio = try audio(of: id, last) }
        return plan
    }

    /// The audio that nothing names but the voice note; nil if there is none.
    private func audio(of id: ULID, _ line: [UInt8]) throws -> (path: String, destination: FilePath)? {
        let said = (try? JSONParser().withParsed(line) { $0[name: "media_path"]?.string }) ?? nil
        guard let path = said, let names = MediaPath.components(of: path), let name = names.last,
            try session.hasMedia(names)
        else { return nil }
        var isNamed = try SessionReader(session.directory).readableHeader().session.media.contains {
            MediaPath.plain($0.path) == MediaPath.plain(path)
        }
        try SessionReader(session.directory).read(.voiceNote) { record in
            if record.id != id, record.mediaPath.map(MediaPath.plain) == MediaPath.plain(path) {
                isNamed = true
            }
        }
        let kept = name.extension.map { "\(entry.id).\($0)" } ?? "\(entry.id).audio"
        return isNamed ? nil : (path, done.appending(kept))
    }

    // MARK: - The clock

    private func pausing() throws -> ChangePlan {
        if let refusal = try refusal() { return refusal }
        let clock = try session.runningClock()
        guard clock.pausedAt == nil else { return ChangePlan() }
        return ChangePlan(
            timeline: try session.beginning(ofPauseAt: change.moment, clock, id: entry.id))
    }

    private func resuming() throws -> ChangePlan {
        if let refusal = try refusal() { return refusal }
        guard let offset = try session.runningClock().pausedAt else { return ChangePlan() }
        return ChangePlan(timeline: try session.end(ofPauseAt: change.moment, from: offset, id: entry.id))
    }

    private func closing() throws -> ChangePlan {
        if let refusal = try refusal() { return refusal }
        let header = try session.wholeHeader()
        guard header.status != .closed else { return ChangePlan() }
        let first = try session.endStep(header, at: change.moment, now: change.moment, id: resumingID)
        switch first {
        case .resume(let entry)?: return ChangePlan(timeline: entry, continues: true)
        case .end(let end)?:
            var entry = end
            entry.id = self.entry.id
            return ChangePlan(timeline: entry, header: try closed(at: end.offset, end.wallTime))
        case .ended(let offset, let moment)?: return ChangePlan(header: try closed(at: offset, moment))
        case nil:
            throw FileError(
                .invalidData, "session start_time is missing or invalid",
                path: session.directory.path(of: RecordKind.session.component),
                cure: "write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then try again")
        }
    }

    /// The id of the end of a pause that the end of the session ends: always the same for an entry.
    private var resumingID: ULID {
        ULID(
            milliseconds: Int64(entry.id.time), digest: SHA256.hash(data: Array("resume \(entry.id)".utf8)))
    }

    private func closed(
        at offset: SessionOffset, _ moment: Timestamp
    ) throws -> [(key: String, before: [UInt8]?, after: [UInt8]?)] {
        let old = try JSONObjectEditor(session.headerText())
        let members = [
            ("status", JSONText(Session.Status.closed.rawValue)), ("end_time", JSONText(moment)),
            ("duration_ms", JSONText(offset)),
        ]
        return try members.map { key, value in (key, try old.text(of: key).map { Array($0) }, value.bytes) }
    }

    /// Why the clock can't be stopped, started or ended at the moment: another device has made something since, or has ended the session otherwise.
    private func refusal() throws -> ChangePlan? {
        let header = try session.wholeHeader()
        if header.status == .closed {
            guard case .close = change.action else {
                return conflict("status", JSONText("closed"), JSONText("active"))
            }
            guard let end = header.endTime, end != change.moment else { return nil }
            return conflict("end_time", JSONText(end), JSONText(change.moment))
        }
        var latest = change.moment
        for kind in [RecordKind.marker, .voiceNote, .timeline] {
            try SessionReader(session.directory).read(kind) { record in
                guard let moment = record.wallTime ?? record.createdAt, moment > latest,
                    kind != .timeline || record.isPauseEdge
                        || record.detail == TimelineEntry.Kind.sessionEnd.rawValue
                else { return }
                // What the same device made before the entry, it knew of.
                if moment <= entry.createdAt, let id = record.id, isOwn(id) { return }
                latest = moment
            }
        }
        return latest > change.moment ? conflict("at", JSONText(latest), JSONText(change.moment)) : nil
    }

    private func conflict(_ member: String, _ now: JSONText, _ wanted: JSONText) -> ChangePlan {
        ChangePlan(conflicts: [MemberConflict(member, now: now.bytes, wanted: wanted.bytes)])
    }
}

// MARK: - Doing it

extension LockedSession {
    /// Does what a plan says but for `session.json`, which comes last.
    ///
    /// - Throws: ``FileError``; then some of it may be done.
    /// - Note: Durable on return.
    func perform(_ plan: ChangePlan) throws {
        if let (path, destination) = plan.audio, let names = MediaPath.components(of: path),
            let name = names.last, let kept = destination.lastComponent
        {
            let target = try OpenDirectory(destination.containingDirectory)
            try mediaDirectory(names).moveFile(name, to: kept, in: target)
        }
        for (kind, _, line, _) in plan.lines { _ = try appendVerbatim(line, to: kind) }
        if let entry = plan.timeline { _ = try add([entry]) }
        if let (kind, id, lines) = plan.removed, !lines.isEmpty {
            try removeLines(from: kind) { $0.lines.filter { $0.facts?.id == id } }
        }
    }

    /// Whether a step that was planned before has been done.
    func hasDone(_ step: ChangeNote.Step) throws -> Bool {
        switch step.change {
        case .appended(let kind, let id, let line):
            return try allLines(of: id, in: kind).dropFirst(step.place).contains { line.matches($0) }
        case .removed(let kind, let id, _): return try allLines(of: id, in: kind).isEmpty
        case .header(let key, _, let after):
            return try JSONObjectEditor(headerText()).text(of: key).map { Array($0) } == after
        case .away(let path, _):
            return try MediaPath.components(of: path).map { try !hasMedia($0) } ?? true
        default: return true
        }
    }

    /// The lines of a record, a whole last one that lacks its newline too.
    fileprivate func allLines(of id: ULID, in kind: RecordKind) throws -> [[UInt8]] {
        try finishLastLine(of: kind) { $0 == id }
        return try lines(of: [id], in: kind)[id] ?? []
    }

    /// The text of `session.json`.
    fileprivate func headerText() throws -> [UInt8] {
        let name = RecordKind.session.component
        guard let file = try directory.readFile(name, limit: SessionReader.maximumHeaderSize) else {
            throw FileError(
                .notFound, "there is no session.json", path: directory.path,
                cure: "give a session directory")
        }
        return file.contents
    }

    /// The directory that holds a file of the session.
    fileprivate func mediaDirectory(_ names: [FilePath.Component]) throws -> OpenDirectory {
        var directory = directory
        for name in names.dropLast() { directory = try directory.openDirectory(name) }
        return directory
    }

    fileprivate func hasMedia(_ names: [FilePath.Component]) throws -> Bool {
        guard let name = names.last, let directory = try? mediaDirectory(names) else { return false }
        return try directory.statusIfPresent(of: name, followingLinks: false)?.kind == .regular
    }
}
