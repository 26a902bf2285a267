internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceStore
internal import TraceText

extension PracticeWriting {
    package func repair(of journal: LockedJournal, settleTime: Duration) throws -> RepairPlan {
        var planner = try PracticeRepairPlanner(journal, settleTime: settleTime, now: now())
        try planner.planDocument()
        try planner.planMark(in: LibraryLogWriting.file)
        try planner.planMark(in: PracticeRepairPlanner.header)
        try planner.finish()
        return planner.plan
    }
}

/// Plans the repair of a practice journal: the document's as ``DocumentRepair`` says, the older shape as ``LegacyConversion`` does, a write
/// that was cut short is finished, and byte order marks go.
///
/// Source: docs/repair.md#practice-journals.
private struct PracticeRepairPlanner {
    static let header = FilePath.Component("practice.json")

    private let journal: LockedJournal
    private let settleTime: Duration
    private let now: Timestamp
    private(set) var plan: RepairPlan
    /// What is wrong with the document as it is to be.
    private var left: [Finding] = []

    init(_ journal: LockedJournal, settleTime: Duration, now: Timestamp) throws {
        copies = try ConflictCopies(in: journal.directory)
        self.journal = journal
        self.settleTime = settleTime
        self.now = now
        plan = RepairPlan(path: journal.directory.path)
        plan.id = journal.id
    }

    private var directory: OpenDirectory { journal.directory }
    private let copies: ConflictCopies

    // MARK: - The document

    mutating func planDocument() throws {
        let name = OpenedDocument.file
        guard let file = try directory.readFile(name, limit: OpenedDocument.limit) else { return }
        var bytes = file.contents
        let checksum = OpenedDocument.checksum(of: bytes)
        let log = SyncLog(directory)
        if let last = try log.last(),
            let finished = OpenedDocument.finished(last, bytes, checksum, log, now: now)
        {
            bytes = finished
            add(.unfinishedWrite, name, "a write that was cut short finished, as sync.jsonl has it")
        }
        let library = try PracticeLibraryFile.library(in: directory)
        func read(_ bytes: [UInt8]) throws -> PracticeReading {
            try PracticeReading(bytes, file: name.string, library: library, now: now)
        }
        var reading = try read(bytes)
        if reading.shape == .legacy, let converted = reading.document {
            add(.olderShape, name, "Android's older shape converted to schema 4")
            bytes = converted.bytes
            // What was left out or guessed is for a person, who finds it in the file that is kept.
            left += reading.findings.filter { [.practiceLegacyLeft, .practiceLegacyGuess].contains($0.rule) }
            reading = try read(bytes)
        }
        if reading.isWritable, let document = reading.document {
            let repair = try DocumentRepair(of: document)
            add(repair.fixes)
            bytes = repair.bytes
            if !repair.fixes.isEmpty { reading = try read(bytes) }
        }
        if !copies.all.isEmpty, let document = reading.document, reading.isWritable {
            if let merged = try planCopies(document, checksum, file) {
                bytes = merged
                reading = try read(bytes)
            }
        }
        left += reading.findings
        edit(name, file, bytes)
    }

    // MARK: - Copies

    /// Joins the copies of the document and of the log that sync tools have left: of the log line by line, of the document as a device's of
    /// which nothing is known before.
    ///
    /// Which of the documents is the file and which are copies is chance: each says what it has that none of the logs knows, so that it ends
    /// the same wherever it is repaired.
    ///
    /// - Parameters:
    ///   - document: As it is to be, but for the copies.
    ///   - checksum: Of the file as it is.
    /// - Returns: The document with what the copies say; nil if nothing can be done yet.
    private mutating func planCopies(
        _ document: PracticeDocument, _ checksum: String, _ file: FileContents
    ) throws -> [UInt8]? {
        let joined = copies.copies(of: SyncLog.file) + copies.copies(of: OpenedDocument.file)
        var contents: [FilePath.Component: FileContents] = [:]
        for copy in joined { contents[copy.name] = try directory.readFile(copy.name, limit: .max) }
        let reader = SessionReader(directory, settleTime: settleTime)
        guard joined.allSatisfy({ contents[$0.name].map { reader.isSettled($0.identity) } ?? false }) else {
            plan.waiting += joined.map {
                RepairPlan.Waiting(file: $0.name.escaped, reason: "it may still be in transit")
            }
            return nil
        }
        let log = SyncLog(directory)
        let old = try directory.readFile(SyncLog.file, limit: .max)
        let own = try log.lines()
        let theirs = try copies.lines(notIn: own) { contents[$0.name]?.contents }
        let lines = own + theirs
        do throws(FormatError) {
            let history = try SyncHistory(lines)
            let there = try DocumentValues(document)
            var said = SyncState()
            var undecided: [MergeChange] = []
            func hear(_ values: DocumentValues, _ checksum: String) {
                guard history.documents[checksum] == nil else { return }
                said.join(SyncState(values, beyond: history.state, stamp: .unnoted(newest: values.newest)))
                undecided += history.state.undecided(in: values)
            }
            if theirs.isEmpty, own.last.flatMap({ SyncLine($0) })?.after == checksum {
                // Records without an id that a write has changed are in no line.
                said = try DocumentState(
                    of: document, checksum: checksum, modified: file.identity.modified.timestamp, lines,
                    isInStep: true, now: now
                ).unsaid
            } else {
                hear(there, checksum)
            }
            for copy in copies.copies(of: OpenedDocument.file) {
                let bytes = contents[copy.name]?.contents ?? []
                hear(
                    try MergeInput(bytes, named: copy.name.escaped).values(),
                    OpenedDocument.checksum(of: bytes))
            }
            let state = history.state.joined(with: said)
            let merged = try document.merged(with: state)
            let latest = state.latest.values.max()
            let line = SyncLine.text(
                of: said, .own(after: latest, at: now), at: now, clock: DocumentState.clock(after: [latest]),
                before: checksum, after: OpenedDocument.checksum(of: merged.bytes))
            let text = (lines + [line]).flatMap { $0 + [newline] }
            if old != nil || !lines.isEmpty {
                plan.edits.append(RepairPlan.Edit(name: SyncLog.file, old: old, new: text))
            }
            let counts = try MergeCounts(from: there, to: DocumentValues(merged))
            for copy in joined {
                add(
                    .conflictCopy, FilePath.Component(copy.original) ?? copy.name,
                    "\(copy.name.escaped) merged")
            }
            if !counts.isZero {
                add(
                    .conflictCopy, OpenedDocument.file,
                    "\(counts.added) records added, \(counts.changed) changed, \(counts.removed) removed")
            }
            if !undecided.isEmpty {
                left.append(
                    Finding(
                        .conflictCopy, at: Finding.Place(file: OpenedDocument.file.string),
                        "values of the copies that may be old or new were not taken: \(undecided.map(\.text).shortList)"
                    ))
            }
            plan.settledCopies += joined.compactMap { copy in
                contents[copy.name].map { RepairPlan.Copy(name: copy.name, identity: $0.identity) }
            }
            return merged.bytes
        } catch {
            return nil
        }
    }

    private mutating func add(_ fixes: [DocumentRepair.Fix]) {
        let times = fixes.filter { $0.kind == .timeUnit }
        if let first = times.first {
            // A document has all its times in one unit: thousands of lines would say the same.
            let rest = times.count > 1 ? ", and \(times.count - 1) more times likewise" : ""
            add(.timeUnit, OpenedDocument.file, first.message + rest)
        }
        for fix in fixes where fix.kind != .timeUnit {
            add(fix.kind.ofJournal, OpenedDocument.file, fix.message)
        }
    }

    // MARK: - The other files

    /// Removes the byte order marks before a file.
    mutating func planMark(in name: FilePath.Component) throws {
        guard let file = try directory.readFile(name) else { return }
        let mark = PracticeDocument.byteOrderMark
        var bytes = file.contents[...]
        while bytes.starts(with: mark) { bytes = bytes.dropFirst(mark.count) }
        guard bytes.count < file.contents.count else { return }
        add(.byteOrderMark, name, "remove the byte order mark")
        edit(name, file, Array(bytes))
    }

    // MARK: - The plan

    private mutating func add(_ kind: Fix.Kind, _ name: FilePath.Component, _ reason: String) {
        plan.fixes.append(Fix(kind, in: name.escaped, reason))
    }

    /// A file that has not rested is left alone: it may still be in transit.
    private mutating func edit(_ name: FilePath.Component, _ file: FileContents, _ new: [UInt8]) {
        guard new != file.contents else { return }
        guard SessionReader(directory, settleTime: settleTime).isSettled(file.identity) else {
            plan.fixes.removeAll { $0.file == name.escaped }
            left.removeAll { $0.place.file == name.escaped }
            return plan.waiting.append(
                RepairPlan.Waiting(file: name.escaped, reason: "it may still be in transit"))
        }
        plan.edits.append(RepairPlan.Edit(name: name, old: file, new: new))
    }

    /// What is left for a person.
    mutating func finish() throws {
        let edited = Set(plan.edits.map(\.name.escaped) + plan.waiting.map(\.file))
        let snapshot = try JournalSnapshot(directory, as: journal.format, settleTime: settleTime)
        var findings = edited.contains(Self.header.string) ? [] : journal.header.findings
        findings.removeAll { $0.rule == .conflictCopy }
        let merged = Set(plan.settledCopies.map(\.name.escaped) + plan.waiting.map(\.file))
        findings += copies.findings.filter { !merged.contains($0.place.file) }
        // What is wrong with the document as it is to be is known.
        let others = journal.format.layout.files.filter { ![.header, .practiceDocument].contains($0.slot) }
        for file in others where !edited.contains(file.name) {
            do {
                findings += try journal.format.findings(in: file.slot, of: snapshot)
            } catch let error as FileError {
                findings.append(
                    Finding(.fileUnreadable, at: Finding.Place(file: file.name), error.message))
            }
        }
        plan.unresolved = (findings + left).map { UnresolvedProblem($0) }
    }
}

extension DocumentRepair.Fix.Kind {
    /// As the fixes of all journals are named.
    fileprivate var ofJournal: Fix.Kind {
        switch self {
        case .timeUnit: .timeUnit
        case .blankKey: .blankKey
        case .repeatedRecord: .repeatedRecord
        case .byteOrderMark: .byteOrderMark
        }
    }
}

private let newline = UInt8(ascii: "\n")
