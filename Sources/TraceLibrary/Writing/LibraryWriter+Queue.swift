package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceStore
package import TraceText

/// What a flush of the queue has done.
package struct FlushOutcome {
    /// Of each entry that waited.
    package let outcomes: [DrainOutcome]
    /// Why entries could not be removed that were kept long enough.
    package let cleanupProblem: (any Error)?
    /// Whether a spool could not be listed.
    private let isListIncomplete: Bool

    fileprivate init(_ outcomes: [DrainOutcome], _ cleanupProblem: (any Error)?, isListIncomplete: Bool) {
        self.outcomes = outcomes
        self.cleanupProblem = cleanupProblem
        self.isListIncomplete = isListIncomplete
    }

    /// Whether something could not be read or written, and so stays in the queue.
    package var isIncomplete: Bool {
        isListIncomplete
            || outcomes.contains { if case .failed = $0.result { true } else { false } }
    }

    /// How many entries were refused.
    package var refusedCount: Int {
        outcomes.count { outcome in
            switch outcome.result {
            case .conflict, .changedMeanwhile, .rejected: true
            default: false
            }
        }
    }
}

/// An entry that a person does not want.
package struct DroppedEntry: Sendable {
    package let id: ULID
    /// Where it is kept.
    package let file: FilePath
}

extension LibraryWriter {
    /// Writes what waits into the sessions, then removes the entries that have been kept long enough.
    ///
    /// - Parameters:
    ///   - retention: How long an entry is kept once it was applied or dropped.
    ///   - report: Called with each spool that can't be listed; the others are drained anyway.
    /// - Throws: ``FileError`` if the state directory can't be used, `.sessionLocked` while another drain runs.
    package func flush(retention: Duration, report: (any StructuredError) -> Void) throws -> FlushOutcome {
        let drain = drain()
        var isListIncomplete = false
        let outcomes = try drain.run(report: { error in
            isListIncomplete = true
            report(error)
        })
        var problem: (any Error)?
        do { try drain.removeOutdated(retention: retention) } catch { problem = error }
        return FlushOutcome(outcomes, problem, isListIncomplete: isListIncomplete)
    }

    /// Puts an entry that waits or was refused where it is kept, and not written.
    ///
    /// - Throws: As ``Drain/drop(_:)``.
    package func drop(_ name: EntryName) throws -> DroppedEntry {
        DroppedEntry(id: name.id, file: try drain().drop(name))
    }

    /// Queues what the phone app exported for a session, which need not be here; however often, each thing once.
    ///
    /// - Parameters:
    ///   - device: The name of the device that exported.
    ///   - isDryRun: Only say what would be done.
    /// - Throws: As ``QueueImport/run(_:isDryRun:)``.
    package func importFromPhone(
        _ exports: [QueueImport.Source], for session: ULID, device: String?,
        deliveredBy deliverer: Deliverer? = nil, allowance: SpoolAllowance = SpoolAllowance(),
        isDryRun: Bool = false
    ) throws -> [QueueImport.Outcome] {
        var queueImport = QueueImport(
            queue, runtimeDirectory: runtimeDirectory, sessionID: session, device: device)
        queueImport.deliverer = deliverer
        queueImport.allowance = allowance
        let outcomes = try queueImport.run(exports, isDryRun: isDryRun)
        if !isDryRun {
            noteQueued(outcomes.filter { $0.result == .queued }.map(\.id), .queueImport, for: session)
        }
        return outcomes
    }
}

extension QueueImport.Result {
    /// Whether it still has to be seen to.
    package var isLeftOut: Bool {
        switch self {
        case .queued, .alreadyQueued, .alreadyApplied, .setAside: false
        case .conflict, .audioMissing: true
        }
    }
}

extension PhoneExport {
    /// What of it can't be in a session and is left out, one text a thing.
    package var omissions: [String] {
        items.filter { !$0.unknownKeys.isEmpty }.map { item in
            let keys = item.unknownKeys.map { "'\($0.oneLine)'" }.joined(separator: ", ")
            return "\(item.place): \(keys) can't be in a session and is omitted"
        }
    }
}

// MARK: - Entries for sessions that need not be here

extension SpoolEntry {
    /// An entry that brings a marker.
    package init(_ marker: Marker, for session: ULID, at time: Timestamp, device: String? = nil) {
        self.init(
            id: marker.id, kind: .marker, journalID: session, createdAt: time, device: device,
            payload: marker.json)
    }

    /// An entry that brings a voice note with its audio.
    package init(
        _ note: VoiceNote, _ audio: Attachment, for session: ULID, at time: Timestamp, device: String? = nil
    ) {
        self.init(
            id: note.id, kind: .voiceNote, journalID: session, createdAt: time, device: device,
            payload: note.json, attachment: audio)
    }
}

extension OffsetExpression {
    /// The offset that was typed for a session which need not be here: nothing but a place from the start can be meant.
    ///
    /// - Throws: ``LibraryError`` with `.offsetNeedsSession`; ``FormatError`` with `.offsetMalformed`.
    package static func fromStart(_ text: String) throws -> SessionOffset {
        guard case .absolute(let place) = try OffsetExpression(text) else {
            throw LibraryError(
                .offsetNeedsSession, "'\(text)' needs the session, which need not exist yet",
                cure: "write an offset from the start")
        }
        return place
    }
}
