package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Takes a marker out of a session.
///
/// The steps: ledger, so that no entry of the queue brings it back → references dropped → journal → the lines
/// of the marker taken out → `session.json`. Each is safe to repeat.
package struct MarkerRemoval {
    private let writer: SessionWriter
    private let queue: QueueDirectories
    private let runtimeDirectory: FilePath?
    private let now: @Sendable () -> Timestamp

    package init(
        _ writer: SessionWriter, queue: QueueDirectories, runtimeDirectory: FilePath? = nil,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.writer = writer
        self.queue = queue
        self.runtimeDirectory = runtimeDirectory
        self.now = now
    }

    /// What was done.
    package struct Outcome: Sendable {
        /// The voice notes that no longer name the marker.
        package var unlinked: [ULID] = []
        package var notices: [String] = []
    }

    /// - Parameter droppingReferences: Whether voice notes that name the marker lose their `marker_id`.
    /// - Throws: ``StoreError`` with `.noSuchRecord`, `.isReferenced` if voice notes name it; ``FileError`` with `.sessionLocked`; then
    ///   nothing is written.
    /// - Note: Durable on return. Killed in between, the marker is there or is gone, whole; the same again does
    ///   the rest.
    package func remove(_ id: ULID, droppingReferences: Bool = false) throws -> Outcome {
        try queue.locked(runtimeDirectory: runtimeDirectory, failPoint: writer.failPoint) { lock in
            let ledger = try Ledger(in: lock)
            return try writer.recorded(.removeMarker) { session in
                try session.finishLastLine(of: .marker) { $0 == id }
                let lines = try session.lines(of: [id], in: .marker)[id] ?? []
                guard !lines.isEmpty else {
                    throw session.noSuchMarker(id, wasRemoved: ledger.contents.isRemoved(id))
                }
                let referring = try session.referring(to: [id], in: .voiceNote).map(\.record)
                guard referring.isEmpty || droppingReferences else {
                    throw session.isReferenced(id, by: referring)
                }
                let noted = try ledger.addRemoved([id], at: now())
                var outcome = Outcome(unlinked: referring)
                var written: UndoableWrite?
                do {
                    for note in referring { outcome.notices += try session.dropReference(of: note) }
                    session.recorder?.add(.removed(.marker, id, lines: lines))
                    written = session.recorder?.takeWrite()
                    if let written { try writer.undoLog?.noteAhead(written) }
                    try session.removeLines(from: .marker) { $0.lines.filter { $0.facts?.id == id } }
                } catch {
                    if try session.lines(of: [id], in: .marker)[id] == lines {
                        takeBack(noted, written, ledger)
                    }
                    throw error
                }
                outcome.notices += session.finish("the marker was removed", now: now())
                return outcome
            }
        }
    }
}

extension MarkerRemoval {
    /// Takes back what was noted of a removal that another program has kept from happening: the marker is there, and a later loss of it is one.
    /// What was done to voice notes stays, and can be undone.
    private func takeBack(_ removed: [ULID], _ write: UndoableWrite?, _ ledger: Ledger) {
        try? ledger.addKept(removed, at: now())
        guard let write, let log = writer.undoLog else { return }
        try? log.note(.withdrawn, of: write.id)
        var rest = write
        rest.changes.removeAll { if case .removed = $0 { true } else { false } }
        rest.id = IDGenerator.next()
        if !rest.changes.isEmpty { log.note(rest) }
    }
}

extension LockedSession {
    fileprivate func noSuchMarker(_ id: ULID, wasRemoved: Bool) -> StoreError {
        StoreError(
            .noSuchRecord, wasRemoved ? "marker \(id) was already removed" : "marker not found: \(id)",
            path: directory.path(of: RecordKind.marker.component),
            cure: [
                "\(verb: "markers list") lists the ids",
                "if it is in another session, give that with \(option: "session")",
                .listRecords,
            ])
    }

    fileprivate func isReferenced(_ id: ULID, by notes: [ULID]) -> StoreError {
        let names = notes.map(\.description).joined(separator: ", ")
        return StoreError(
            .isReferenced, "marker \(id) is referenced by voice note\(notes.count == 1 ? "" : "s") \(names)",
            path: directory.path(of: RecordKind.voiceNote.component),
            cure: [
                "\(option: "force") removes it and clears the voice note's marker_id",
                .overHTTP("add ?force=true; the voice notes then refer to no marker"),
            ])
    }

    /// The records whose last line names one of `ids`, and which one, without lines that `isGone` takes away.
    func referring(
        to ids: Set<ULID>, in kind: RecordKind, without isGone: (ULID, [UInt8]) -> Bool = { _, _ in false }
    ) throws -> [(record: ULID, names: ULID)] {
        var named: Set<ULID> = []
        try SessionReader(directory).read(kind) { record in
            if let reference = record.reference, ids.contains(reference), let other = record.id {
                named.insert(other)
            }
        }
        let decoder = try RecordDecoder(kind) { record in
            (record.root[name: "marker_id"] ?? record.root[name: "voice_note_id"])?.utf8.flatMap(
                ULID.init(bytes:))
        }
        return try lines(of: named, in: kind).compactMap { other, lines in
            let last = lines.last { !isGone(other, $0) }
            guard let reference = last.flatMap({ decoder.decode($0)?.value }), ids.contains(reference)
            else { return nil }
            return (other, reference)
        }.sorted { $0.record < $1.record }
    }

    fileprivate func dropReference(of note: ULID) throws -> [String] {
        let line = try require(note, in: .voiceNote)
        var edit = RecordEdit()
        edit.cleared = ["marker_id"]
        return try appendVerbatim(try edit.applied(to: line), to: .voiceNote)
    }
}
