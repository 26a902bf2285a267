internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceStore
package import TraceText

/// A moment whose session is not known, and where it is kept.
package struct KeptMoment: Sendable {
    package let moment: UnplacedMoment
    let store: UnplacedMoments

    package var id: ULID { moment.id }
}

/// A moment that has been taken to its session.
package struct PlacedMoment: Sendable {
    /// The entry that it has become.
    package let entry: SpoolEntry
    /// Where it stands in its session.
    package let offset: SessionOffset
    /// What the drain made of it; nil if it could not be tried, and waits in the queue.
    package let outcome: DrainOutcome?
}

extension LibraryWriter {
    /// Keeps a marker until its session is known.
    ///
    /// - Parameters:
    ///   - marker: Its offset does not count.
    ///   - typedSession: What was typed for the session where sessions could not be looked for.
    ///   - isUnconfigured: Whether the configuration can't be used; it is kept in the default state directory then.
    /// - Throws: ``FileError`` if neither that nor the other state directory can take it; ``FormatError``.
    /// - Note: Durable on return.
    package func keep(
        _ marker: Marker, at moment: Timestamp, typedSession: String? = nil, isUnconfigured: Bool = false
    ) throws {
        try keep(
            UnplacedMoment(marker, at: moment, typedSession: typedSession), audio: nil, as: .mark,
            isUnconfigured)
    }

    /// As ``keep(_:at:typedSession:isUnconfigured:)``, for a voice note with its audio.
    package func keep(
        _ note: VoiceNote, audio: FilePath, at moment: Timestamp, typedSession: String? = nil,
        isUnconfigured: Bool = false
    ) throws {
        let name = "\(note.id)\(audio.extension.map { ".\($0)" } ?? "")"
        let attachment = try Spool.attachment(for: audio, named: name)
        try keep(
            UnplacedMoment(note, attachment, at: moment, typedSession: typedSession), audio: audio,
            as: .voiceNote, isUnconfigured)
    }

    private func keep(
        _ moment: UnplacedMoment, audio: FilePath?, as operation: UndoableWrite.Operation,
        _ isUnconfigured: Bool
    ) throws {
        var rest = (isUnconfigured ? queue.unplaced.reversed() : queue.unplaced)[...]
        while let store = rest.popFirst() {
            do {
                try store.keep(moment, audio: audio)
                break
            } catch  where error.isAboutReaching && !rest.isEmpty {
                continue
            }
        }
        note(queued: moment.id, operation, for: nil)
    }

    /// The moments that are kept, in their order.
    ///
    /// - Parameter report: Called with what can't be read.
    package func keptMoments(report: (any StructuredError) -> Void = { _ in }) -> [KeptMoment] {
        let kept = queue.unplaced.flatMap { store -> [KeptMoment] in
            do {
                return try store.moments(report: report).map { KeptMoment(moment: $0, store: store) }
            } catch {
                report(error.structured)
                return []
            }
        }
        return kept.sorted { ($0.moment.wallTime, $0.id) < ($1.moment.wallTime, $1.id) }
    }

    /// How many moments are kept; of a directory that can't be listed, none.
    package var keptCount: Int { queue.unplaced.reduce(0) { $0 + ((try? $1.count) ?? 0) } }

    /// The kept moment that a person names: by its id, or the beginning of it, or `last`.
    ///
    /// - Throws: ``StoreError`` with `.noSuchEntry` or `.ambiguousEntry`.
    package func keptMoment(named typed: String) throws -> KeptMoment {
        let all = keptMoments()
        let found =
            typed == "last"
            ? all.suffix(1)
            : all.filter { !typed.isEmpty && $0.id.description.hasPrefix(typed.uppercased()) }[...]
        guard let first = found.first else {
            throw StoreError(.noSuchEntry, "no moment '\(typed)' is kept", cure: .unplacedList)
        }
        guard found.count == 1 else {
            throw StoreError(
                .ambiguousEntry, "the ids of \(found.count) kept moments begin with '\(typed)'",
                cure: .unplacedList)
        }
        return first
    }

    /// The sessions whose clocks cover a moment, of those that can be found now; the sessions are looked for when the first moment is asked about.
    package func covering() -> CoveringSessions {
        let locator = SessionLocator(roots: roots.paths)
        let limit = staleAfter
        var sessions: [SessionCandidate]?
        return { moment in
            let known = sessions ?? locator.candidates()
            sessions = known
            return known.compactMap {
                CoveringSession($0, at: moment, now: Clock.now(), staleAfter: limit)
            }
        }
    }

    /// Takes a kept moment to a session, or into the queue if that can't be written.
    ///
    /// - Parameter isForced: Whether it may be after the end of a closed session.
    /// - Throws: ``LibraryError`` with `.beforeStart`, `.afterEnd`, `.noStartTime`, `.noSessionID`; as
    ///   ``UnplacedMoments/place(_:in:at:queue:by:)``: then it still is kept.
    /// - Note: Durable on return; may be repeated.
    package func place(
        _ kept: KeptMoment, in target: SessionTarget, isForced: Bool = false
    ) throws -> PlacedMoment {
        guard let session = target.session.id else {
            throw LibraryError(.noSessionID, "\(target.path.escaped): the session has no valid id")
        }
        let offset = try offset(of: kept.moment, in: target, isForced)
        let entry = try kept.store.place(
            kept.id, in: session, at: offset, queue: queue.local, by: unplacedAccess)
        undoLog.supersede(queued: kept.id, by: UInt32(geteuid()))
        note(queued: kept.id, entry.kind == .marker ? .mark : .voiceNote, for: entry.journalID)
        // What can't be written now, another drain writes.
        return PlacedMoment(
            entry: entry, offset: offset, outcome: try? drain().retry(EntryName(kept.id)))
    }

    private func offset(
        of moment: UnplacedMoment, in target: SessionTarget, _ isForced: Bool
    ) throws -> SessionOffset {
        guard let clock = try SessionReader(target.directory).clock(of: target.session) else {
            throw LibraryError(
                .noStartTime, "\(target.path.escaped): the session's start_time can't be read",
                cure: "\(verb: "validate") shows what is wrong with it")
        }
        guard moment.wallTime >= clock.start else {
            throw LibraryError(
                .beforeStart,
                "the moment, \(moment.wallTime), is before the session's start at \(clock.start)",
                cure: "choose another session, or correct its start with \(verb: "session edit --start")")
        }
        let offset = clock.offset(at: moment.wallTime)
        if !isForced, target.session.status == .closed, let end = target.session.duration, offset > end {
            throw LibraryError(
                .afterEnd,
                "the moment, \(moment.wallTime), is after the session's end at \(clock.wall(at: end))",
                cure: "choose another session, or add \(option: "force") to place it after the end")
        }
        return offset
    }

    /// Puts a kept moment where what is not wanted is kept for some time.
    ///
    /// - Throws: As ``UnplacedMoments/drop(_:to:by:)``.
    package func drop(_ kept: KeptMoment) throws -> DroppedEntry {
        DroppedEntry(
            id: kept.id, file: try kept.store.drop(kept.id, to: queue.dropped, by: unplacedAccess))
    }

    private var unplacedAccess: UnplacedMoments.Access {
        UnplacedMoments.Access(runtimeDirectory: runtimeDirectory)
    }

    private func note(queued id: ULID, _ operation: UndoableWrite.Operation, for session: ULID?) {
        undoLog.note(
            UndoableWrite(
                id: IDGenerator.next(), time: Clock.now(), user: UInt32(geteuid()), operation: operation,
                sessionID: session, session: nil, command: command, changes: [.queued(id)]))
    }
}
