internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension LockedSession {
    /// Notes the start and the end of a media item in the timeline, which stays in order.
    ///
    /// An entry that no item of the session accounts for is taken for that of a run that was killed, and is not written
    /// again: as many recordings start at a place as there are items that do.
    ///
    /// - Parameters:
    ///   - header: The session, without the new item.
    ///   - onWrite: Is called once something has been written.
    /// - Returns: As ``append(_:to:)``.
    /// - Note: Durable on return. Appended where nothing later is there, else the file is replaced.
    ///
    /// Source: docs/spec/format.md#rules-across-lines-and-files, rules 3 and 6.
    func addToTimeline(
        _ entries: [(kind: TimelineEntry.Kind, offset: SessionOffset)], of header: Session, now: Timestamp,
        onWrite: () -> Void
    ) throws -> [String] {
        let timeline = try existingTimeline()
        guard let clock = timeline.pauses.clock(of: header) else { return [] }
        let missing = entries.filter { entry in
            let noted = timeline.count(entry.kind, at: entry.offset)
            return noted <= header.media.count { $0.offset(of: entry.kind) == entry.offset }
        }.map { entry in
            let isStart = entry.kind == .mediaStart
            let wallTime = isStart ? clock.wall(resumingAt: entry.offset) : clock.wall(at: entry.offset)
            return TimelineEntry(
                id: IDGenerator.next(), kind: entry.kind, offset: entry.offset, wallTime: wallTime,
                createdAt: wallTime == now ? now.next ?? now : now)
        }
        guard !missing.isEmpty else {
            // Visible is not durable: who wrote them may have been killed before they were synced.
            try directory.makeDurable(RecordKind.timeline.component)
            return []
        }
        return try add(missing, to: timeline, onWrite: onWrite)
    }

    /// Puts entries into the timeline, which stays in order.
    ///
    /// - Parameter onWrite: Is called once something has been written.
    /// - Returns: As ``append(_:to:)``.
    /// - Note: Durable on return. Appended where nothing later is there, else the file is replaced.
    ///
    /// Source: docs/spec/format.md#rules-across-lines-and-files, rules 3 and 6.
    func add(_ entries: [TimelineEntry], onWrite: () -> Void = {}) throws -> [String] {
        try add(entries, to: existingTimeline(), onWrite: onWrite)
    }

    /// What is in the timeline, whose last line is finished first.
    private func existingTimeline() throws -> ExistingTimeline {
        let timeline = ExistingTimeline()
        try finishLastLine(of: .timeline)
        try SessionReader(directory).read(.timeline) { timeline.add($0) }
        return timeline
    }

    private func add(
        _ entries: [TimelineEntry], to timeline: ExistingTimeline, onWrite: () -> Void
    ) throws -> [String] {
        if !timeline.hasEnd, entries.allSatisfy({ $0.offset >= timeline.last }) {
            return try entries.flatMap { entry in
                let notices = try append(entry.json.bytes, to: .timeline)
                onWrite()
                return notices
            }
        }
        try insert(entries, into: .timeline)
        onWrite()
        for entry in entries { recorder?.noteAppended(entry.json.bytes, entry.id, to: .timeline) }
        return []
    }

    /// Puts entries of the timeline where they belong.
    private func insert(_ entries: [TimelineEntry], into kind: RecordKind) throws {
        for entry in entries { try RecordCheck.require(entry.json.bytes, toBe: kind) }
        try insert(entries.map { ($0.json.bytes, $0.offset) }, into: kind)
    }

    /// Puts lines of the timeline where they belong by their offsets.
    func insert(_ entries: [(line: [UInt8], offset: SessionOffset)], into kind: RecordKind) throws {
        try replaceLines(of: kind) { lines in
            var bytes = lines.bytes
            let places = entries.map { ($0.line, lines.timelinePlace(at: $0.offset)) }
            if bytes.last.map({ $0 != newline }) ?? false, places.contains(where: { $0.1 == nil }) {
                bytes.append(newline)
            }
            let end = bytes.count
            // From the end, so that what precedes keeps its place; of those at one place the last first.
            let order = places.enumerated().sorted { left, right in
                (left.element.1 ?? .max, left.offset) > (right.element.1 ?? .max, right.offset)
            }
            for (_, (entry, place)) in order {
                bytes.insert(contentsOf: entry + [newline], at: place ?? end)
            }
            return bytes
        }
    }

    /// Files in `media/` that are named like those of media items, and that nothing names.
    ///
    /// - Parameter suffix: The extension of the names, with the dot.
    func unnamedMedia(suffix: String, header: Session) throws -> [ULID] {
        guard let media = try? directory.openDirectory("media") else { return [] }
        var found: [String: ULID] = [:]
        try media.forEachName { name in
            let text = name.escaped
            guard text.hasSuffix(suffix), text.utf8.count == 26 + suffix.utf8.count,
                let id = ULID(String(text.prefix(26)))
            else { return }
            found["\(SessionLayout.media)/\(text)"] = id
        }
        for item in header.media { found[MediaPath.plain(item.path)] = nil }
        if found.isEmpty { return [] }
        try SessionReader(directory).read(.voiceNote) { note in
            if let path = note.mediaPath { found[MediaPath.plain(path)] = nil }
        }
        return found.values.sorted()
    }

    /// Checks that a new media item would not break `session.json` more than it is.
    ///
    /// - Throws: ``FileError`` with `.invalidData`.
    func checkHeader(adding members: [(name: String, value: JSONText)]) throws {
        let name = RecordKind.session.component
        guard let file = try directory.readFile(name, limit: SessionReader.maximumHeaderSize) else { return }
        do {
            var editor = try JSONObjectEditor(file.contents)
            try editor.append(members, toArray: "media")
            try RecordCheck.require(editor.bytes, toBe: .session, noWorseThan: file.contents)
        } catch let error as FormatError {
            throw FileError(.invalidData, error.message, path: directory.path(of: name), cure: error.cure)
        }
    }
}

/// The existing entries of a timeline; a class, since closures that outlive a call fill it.
private final class ExistingTimeline {
    private var media: [ULID: (kind: String?, offset: SessionOffset)] = [:]
    private(set) var pauses = PauseReader()
    private(set) var last = SessionOffset.zero
    private(set) var hasEnd = false

    func add(_ entry: RecordSummary) {
        let offset = entry.offset ?? .zero
        last = max(last, offset)
        hasEnd = hasEnd || entry.detail == TimelineEntry.Kind.sessionEnd.rawValue
        pauses.add(entry)
        guard let id = entry.id else { return }
        media[id] = entry.isPauseEdge ? nil : (entry.detail, offset)
    }

    /// How many entries of that kind are there for media; those of pauses don't count.
    func count(_ kind: TimelineEntry.Kind, at offset: SessionOffset) -> Int {
        media.values.count { $0.kind == kind.rawValue && $0.offset == offset }
    }
}

extension MediaItem {
    /// Where the item starts, or ends.
    fileprivate func offset(of kind: TimelineEntry.Kind) -> SessionOffset? {
        guard let startOffset else { return nil }
        if kind == .mediaStart { return startOffset }
        return duration.map(startOffset.adding)
    }
}
