internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

extension OpenedDocument {
    /// Opens the document of a journal; a write that was cut short is finished first.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if the document can't be read whole: then nothing is written into it.
    /// - Note: Durable on return.
    static func open(in journal: inout LockedJournal, now: Timestamp) throws -> OpenedDocument {
        let directory = journal.directory
        if let known = journal.state as? OpenedDocument,
            try directory.statusIfPresent(of: file, followingLinks: true)?.identity == known.identity
        {
            return known
        }
        journal.state = nil
        var attemptsLeft = 5
        while true {
            let contents = try directory.readFile(file, limit: limit)
            let checksum = contents.map { self.checksum(of: $0.contents) }
            let last = try SyncLog(directory).last()
            if let last, let finished = finished(last, contents?.contents, checksum, now: now) {
                // The line need not be durable yet: who wrote it was cut short.
                try directory.makeDurable(SyncLog.file)
                do {
                    try directory.replaceFile(file, with: finished, expecting: contents?.identity)
                } catch let error as FileError where error.code == .changedMeanwhile && attemptsLeft > 0 {}
                attemptsLeft -= 1
                continue
            }
            let opened = try opened(contents, checksum, last?.line, in: journal, now: now)
            journal.state = opened
            return opened
        }
    }

    /// The document as a write was to leave it that was cut short after its line in the log; nil if none was.
    static func finished(
        _ last: SyncLog.Last, _ contents: [UInt8]?, _ checksum: String?, now: Timestamp
    ) -> [UInt8]? {
        guard last.line.write != nil, last.line.before == checksum, last.line.after != checksum,
            let change = SyncLine.change(in: last.text),
            let document = (try? PracticeReading(contents ?? empty, now: now, isChecked: false))?.document,
            let finished = try? document.applying(change), self.checksum(of: finished) == last.line.after
        else { return nil }
        return finished
    }

    private static func opened(
        _ contents: FileContents?, _ checksum: String?, _ last: SyncLine?, in journal: LockedJournal,
        now: Timestamp
    ) throws -> OpenedDocument {
        let path = journal.directory.path(of: file)
        guard contents != nil || last == nil else {
            throw FileError(
                .notFound, "is missing, though the journal had one", path: path,
                hint: "restore it from a backup; if it is to begin again, move sync.jsonl away too")
        }
        let library = try PracticeLibraryFile.library(in: journal.directory)
        let reading = try PracticeReading(contents?.contents ?? empty, now: now, isChecked: false)
        guard reading.isWritable, let document = reading.document else {
            throw reading.refusal(at: path)
        }
        return OpenedDocument(
            document: document, identity: contents?.identity, checksum: checksum, library: library,
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
                hint: "'trace repair' converts it; until then it is read, not written")
        case .mixed:
            FileError(
                .invalidData, "has keys of schema 4 and of Android's older shape", path: path,
                hint: Rule.practiceShapeMixed.cure)
        case .canonical where document != nil:
            FileError(
                .invalidData, "has a schema that this version does not know", path: path,
                hint: "install a newer version; until then it is read, not written")
        case .canonical, nil:
            FileError(
                .invalidData, findings.first.map { "can't be read whole: \($0.message)" } ?? "can't be read",
                path: path, hint: "fix it in an editor, or restore it from a backup")
        }
    }
}
