package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// Brings the audio for which an entry waits in the local spool.
package struct AwaitedAudio: Sendable {
    private let directories: QueueDirectories
    private let ledger: LedgerMemory
    var failPoint: FailPoint?

    package init(_ directories: QueueDirectories, _ ledger: LedgerMemory) {
        self.directories = directories
        self.ledger = ledger
    }

    /// What is known of the record of an id.
    package enum Record {
        /// It waits, and has its audio now, durable; or a drain has found it beside the entry, and is faster.
        case complete(SpoolEntry)
        /// It waits for other audio, is the record of something else, or was sent by somebody else.
        case conflict(String)
        /// It was written before and is gone, by the user's will or not, or the user dropped it.
        case gone(DrainOutcome.Result)
        /// It has not come yet.
        case missing
    }

    /// Puts audio beside the entry that waits for it.
    ///
    /// May be repeated.
    ///
    /// - Parameters:
    ///   - audio: The whole of it.
    ///   - fileExtension: That of its container.
    ///   - session: The one that it was sent for.
    ///   - deliverer: Who sends it: only who sent the record may say what is heard under it.
    /// - Throws: ``FileError``; then the entry waits as before.
    /// - Note: Durable on return. Killed in between, the audio may be there without the entry saying so.
    package func bring(
        _ audio: FilePath, size: Int64, sha256: String, fileExtension: String, of id: ULID, to session: ULID,
        deliveredBy deliverer: Deliverer? = nil
    ) throws -> Record {
        var taken: SpoolEntry?
        for _ in 0..<3 {
            guard let waiting = directories.local.entry(id) else {
                if let taken { return .complete(taken) }
                return try whatBecame(of: id)
            }
            guard Deliverer.areSame(waiting.deliveredBy, deliverer) else {
                return .conflict("the record that waits under this id was sent by somebody else")
            }
            guard let attachment = waiting.attachment, waiting.journalID == session,
                attachment.size == size, attachment.sha256 ?? sha256 == sha256
            else { return .conflict("the record that waits under this id is for other audio") }
            do {
                let complete = try waiting.with(audio: fileExtension, sha256: sha256)
                taken = complete
                try directories.local.complete(
                    waiting, as: complete, attachment: audio, failPoint: failPoint)
                return .complete(complete)
            } catch let error as FileError
                where error.code == .changedMeanwhile || error.code == .notFound && error.path != audio
            {
                // A drain that finds the audio beside the entry takes both, and may be faster than we are.
                continue
            } catch let error as FormatError {
                return .conflict(error.message)
            }
        }
        throw FileError(.changedMeanwhile, "the entry keeps changing", path: directories.local.path)
    }

    private func whatBecame(of id: ULID) throws -> Record {
        guard let state = try OpenDirectory.ifPresent(directories.state) else { return .missing }
        return try ledger.read(in: state) { ledger in
            guard ledger.contains(id) else { return .missing }
            return .gone(ledger.isRemoved(id) ? .removed : .recordVanished)
        }
    }
}
