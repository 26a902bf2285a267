package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceIndex
package import TraceMedia
package import TraceStore

/// The audio of voice notes, which comes by itself: whichever of record and audio comes last has the voice note written.
extension Delivery {
    /// Delivers the voice note that has waited for this audio.
    ///
    /// - Parameters:
    ///   - audio: The whole of it; it stays where it is.
    ///   - session: The directory of the session, where the caller has just seen it.
    ///   - deliverer: Who sends it; to a record that somebody else has sent it is a conflict.
    /// - Returns: The outcome of its record; nil if that has not come yet. With any outcome but `conflict`, the audio is kept where it
    ///   is needed. `alreadyApplied` says that the record is there, with this audio or with other.
    /// - Throws: ``FileError``; then the same is to be done again.
    package func deliver(
        audio: FilePath, size: Int64, container: AudioContainer, sha256: String, of id: ULID,
        to sessionID: ULID, into session: FilePath? = nil, deliveredBy deliverer: Deliverer? = nil
    ) throws -> EntryDelivery.Outcome? {
        let record = try AwaitedAudio(queue, ledger).bring(
            audio, size: size, sha256: sha256, fileExtension: container.fileExtension, of: id, to: sessionID,
            deliveredBy: deliverer)
        switch record {
        case .complete(let entry):
            let outcome = try deliver(
                EntryDelivery.Item(entry, audio: audio, deliveredBy: entry.deliveredBy), into: session)
            // A drain that was faster has written it with this audio, too.
            guard case .alreadyApplied = outcome.result else { return outcome }
            return EntryDelivery.Outcome(
                id: id, session: outcome.session, result: .applied, line: outcome.line)
        case .conflict(let reason): return EntryDelivery.Outcome(id: id, result: .conflict(reason))
        case .gone(.recordVanished):
            // That it was written is all that the ledger knows: whether it is gone, the session does. A drain may just have written it.
            for path in session.map({ [$0] }) ?? sessions(with: sessionID) {
                guard let line = try Self.standing(id, at: path, index) else { continue }
                return EntryDelivery.Outcome(id: id, session: path, result: .alreadyApplied, line: line)
            }
            return EntryDelivery.Outcome(id: id, result: .recordVanished)
        case .gone(let result): return EntryDelivery.Outcome(id: id, result: result)
        case .missing: return nil
        }
    }

    /// The line of a voice note as a session has it now.
    private static func standing(_ id: ULID, at session: FilePath, _ index: JournalIndex) throws -> [UInt8]? {
        let lines = try SessionReader(session).existing([id], by: index)[id] ?? []
        return lines.last { $0.kind == .voiceNote }?.line
    }

    /// The path under which the audio of a voice note is known from before: in the session, beside the entry that waits, or in the
    /// ledger; nil if the record is not known, or still waits for it.
    ///
    /// - Parameters:
    ///   - standing: The session's line of that id.
    ///   - entry: The entry as it would be with audio of a container.
    /// - Throws: ``FileError`` if the ledger can't be read.
    package func mediaPath(
        of id: ULID, standing: String?, _ entry: (AudioContainer) throws -> SpoolEntry
    ) throws -> String? {
        if let standing { return standing }
        if let waiting = queue.local.entry(id) {
            return queue.missingAudio(of: waiting, in: queue.local) == nil ? waiting.mediaPath : nil
        }
        guard let state = try OpenDirectory.ifPresent(queue.state),
            try ledger.read(in: state, { $0.contains(id) })
        else { return nil }
        for container in AudioContainer.allCases {
            let entry = try entry(container)
            if try ledger.read(in: state, { $0.contains(entry) }) { return entry.mediaPath }
        }
        return nil
    }
}
