internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

extension OpenedDocument {
    /// Opens the document of a journal. A write that was cut short is finished first, and what others have written into the document is
    /// merged with what was written meanwhile.
    ///
    /// - Parameters:
    ///   - acceptsEmptied: Whether a document is taken of which others have removed most.
    ///   - patience: How long others may keep writing it.
    /// - Throws: ``FileError``; with `.invalidData` if the document can't be read whole, with `.changedMeanwhile` if others keep writing it;
    ///   ``PracticeError`` with `.replicaEmptied` if most is gone from it: then nothing is written into it.
    /// - Note: Durable on return.
    static func open(
        in journal: inout LockedJournal, now: Timestamp, acceptsEmptied: Bool = false,
        patience: DocumentPatience = DocumentPatience()
    ) throws -> OpenedDocument {
        let directory = journal.directory
        if let known = journal.state as? OpenedDocument,
            try directory.statusIfPresent(of: file, followingLinks: true)?.identity == known.identity
        {
            return known
        }
        journal.state = nil
        while true {
            let contents = try directory.readFile(file, limit: limit)
            var checksum = contents.map { self.checksum(of: $0.contents) }
            var (bytes, identity) = (contents?.contents, contents?.identity)
            let log = SyncLog(directory)
            var last = try log.last()
            if let ended = last, ended.line.after != checksum,
                let new = try broughtInStep(
                    contents, checksum, log, ended, in: &journal, now: now, acceptsEmptied: acceptsEmptied
                )
            {
                do {
                    if new != bytes {
                        identity = try directory.replaceFile(file, with: new, expecting: identity)
                    }
                } catch let error as FileError where error.code == .changedMeanwhile {
                    guard try patience.awaitRest(in: directory) else { throw error }
                    continue
                }
                bytes = new
                checksum = self.checksum(of: new)
                last = try log.last()
            }
            let opened = try opened(bytes, checksum, identity, last?.line, in: directory, now: now)
            journal.state = opened
            return opened
        }
    }

    /// The document as it is to be where the log does not end with it: a write that was cut short is finished, or what others have written
    /// is taken up, once the log has a line of it.
    ///
    /// - Returns: Nil if there is nothing to do, or the document can't be compared with what the log says.
    private static func broughtInStep(
        _ contents: FileContents?, _ checksum: String?, _ log: SyncLog, _ last: SyncLog.Last,
        in journal: inout LockedJournal, now: Timestamp, acceptsEmptied: Bool
    ) throws -> [UInt8]? {
        if let finished = finished(last, contents?.contents, checksum, log, now: now) {
            // The line need not be durable yet: who wrote it was cut short.
            try log.directory.makeDurable(SyncLog.file)
            if let contents, last.line.isOfDocument {
                try ReplicaStore(log.directory).keep(contents.contents, of: .document)
            }
            return finished
        }
        guard let contents, let checksum else { return nil }
        return try merged(
            contents, checksum, log, in: &journal, now: now, acceptsEmptied: acceptsEmptied)
    }

    /// The document as it is, without a lock; nothing is finished or merged.
    ///
    /// - Throws: ``FileError``, as ``open(in:now:acceptsEmptied:)``.
    static func look(at directory: OpenDirectory, now: Timestamp) throws -> OpenedDocument {
        let contents = try directory.readFile(file, limit: limit)
        return try opened(
            contents?.contents, contents.map { checksum(of: $0.contents) }, contents?.identity,
            SyncLog(directory).last()?.line, in: directory, now: now)
    }

    /// The document as a write was to leave it that was cut short after its line in the log; nil if none was.
    static func finished(
        _ last: SyncLog.Last, _ contents: [UInt8]?, _ checksum: String?, _ log: SyncLog, now: Timestamp
    ) -> [UInt8]? {
        guard last.line.before == checksum, last.line.after != checksum,
            last.line.write != nil || last.line.hasState,
            let document = (try? PracticeReading(contents ?? empty, now: now, isChecked: false))?.document
        else { return nil }
        var finished: [UInt8]?
        if last.line.hasState {
            guard let lines = try? log.lines(), let history = try? SyncHistory(lines) else { return nil }
            finished = try? document.merged(with: history.state).bytes
        } else if let change = SyncLine.change(in: last.text) {
            finished = try? document.applying(change)
        }
        guard let finished, self.checksum(of: finished) == last.line.after else { return nil }
        return finished
    }

    /// Takes up what others have written into the document: the log's line durable, then the document as it is to be.
    ///
    /// - Returns: Nil if the document can't be compared with what the log says.
    /// - Throws: ``PracticeError`` with `.replicaEmptied`.
    private static func merged(
        _ contents: FileContents, _ checksum: String, _ log: SyncLog, in journal: inout LockedJournal,
        now: Timestamp, acceptsEmptied: Bool
    ) throws -> [UInt8]? {
        let lock = journal.lock
        let reading = try PracticeReading(contents.contents, now: now, isChecked: false)
        let own = try log.lines()
        // A sync tool may have brought this log from elsewhere, and left the one that the document belongs to as a copy.
        let theirs = try ConflictCopies(in: lock.directory).lines(notIn: own) {
            try lock.directory.readFile($0.name, limit: .max)?.contents
        }
        guard reading.isWritable, let document = reading.document,
            let known = try? DocumentState(
                of: document, checksum: checksum, modified: contents.identity.modified.timestamp,
                own + theirs, isInStep: false, saves: ReplicaStore(lock.directory).saves(),
                isJoined: !theirs.isEmpty, now: now),
            let others = try? SyncHistory(theirs).state
        else { return nil }
        if let emptied = known.emptied, !acceptsEmptied {
            throw PracticeError(
                .replicaEmptied, "most is gone: \(emptied.message)", path: lock.directory.path(of: file),
                cure: "restore it, or take it as it is: trace practice accept \(SyncStamp.documentDevice)")
        }
        let (merged, putBack) = try known.putBack(into: document)
        try log.append(
            SyncLine.text(
                of: known.unsaid.joined(with: others), known.stamp, at: now, clock: known.clock,
                before: checksum,
                after: self.checksum(of: merged)), by: lock)
        // What it says is in the log: from now on this shows what it removes. It is kept before its place is taken, for it may save
        // again at any time.
        try ReplicaStore(lock.directory).keep(contents.contents, of: .document)
        journal.putBack += putBack.filter { !journal.putBack.contains($0) }
        return merged
    }

    private static func opened(
        _ bytes: [UInt8]?, _ checksum: String?, _ identity: FileIdentity?, _ last: SyncLine?,
        in directory: OpenDirectory, now: Timestamp
    ) throws -> OpenedDocument {
        let path = directory.path(of: file)
        guard bytes != nil || last == nil else {
            throw FileError(
                .notFound, "is missing, though the journal had one", path: path,
                cure: "restore it from a backup; to start over, move sync.jsonl away, too")
        }
        let library = try PracticeLibraryFile.library(in: directory)
        let reading = try PracticeReading(bytes ?? empty, now: now, isChecked: false)
        guard reading.isWritable, let document = reading.document else {
            throw reading.refusal(at: path)
        }
        return OpenedDocument(
            document: document, identity: identity, checksum: checksum, library: library,
            known: last.map { $0.after == checksum ? .inStep : .foreign(after: $0.after) }
                ?? .foreign(after: nil), clock: last?.clock)
    }
}

extension PracticeReading {
    /// Why nothing is written into a document.
    fileprivate func refusal(at path: FilePath) -> FileError {
        switch shape {
        case .legacy:
            FileError(
                .invalidData, "has Android's older shape", path: path,
                cure: ["\(verb: "repair") converts it", "until then it is read, not written"])
        case .mixed:
            FileError(
                .invalidData, "has keys of schema 4 and of Android's older shape", path: path,
                cure: Rule.practiceShapeMixed.cure)
        case .canonical where document != nil:
            FileError(
                .invalidData, "has a schema that this version does not know", path: path,
                cure: "install a newer version; until then it is read, not written")
        case .canonical, nil:
            FileError(
                .invalidData, findings.first.map { "can't be read whole: \($0.message)" } ?? "can't be read",
                path: path, cure: "fix it in an editor, or restore it from a backup")
        }
    }
}
