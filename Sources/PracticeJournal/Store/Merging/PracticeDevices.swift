package import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceStore
internal import TraceText

/// The devices that exchange the document of a practice journal.
///
/// Source: docs/spec/practice.md#exchange-between-devices.
package struct PracticeDevices {
    private let writer: JournalWriter
    /// How long other programs may keep writing the document before a merge gives up.
    private let patience: Duration
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - writer: Of the journal.
    package init(
        _ writer: JournalWriter, patience: Duration = DocumentPatience.limit,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.writer = writer
        self.patience = patience
        self.now = now
    }

    /// A device.
    package struct Device: Sendable {
        let name: DeviceName
        /// When something was exchanged with it last; nil if that was never completed.
        let last: Timestamp?
        /// How many versions of what it had are kept.
        let versions: Int
        /// When it wrote a document that was refused, because most is gone from it.
        package let refused: Timestamp?
    }

    /// Those of which something is kept, by their names. Nothing is locked.
    ///
    /// - Throws: ``FileError``.
    package func list() throws -> [Device] {
        let replicas = ReplicaStore(try OpenDirectory(writer.path))
        let refused = try replicas.refused()
        return try replicas.devices().map { name in
            let versions = try replicas.versions(of: name)
            return Device(
                name: name, last: versions.first?.modified.timestamp, versions: versions.count,
                refused: refused[name]?.written)
        }
    }

    // MARK: - Merging

    /// Merges what a device brings.
    ///
    /// - Parameters:
    ///   - isDry: Whether nothing is written.
    ///   - deliver: Gives the device the answer, where that can fail: only what it has counts as exchanged.
    /// - Throws: ``FormatError`` with `.recordInvalid` if what it brings can't be merged; ``FileError``; what `deliver` throws: then the
    ///   journal has what the device said.
    /// - Note: Durable on return: a line of the log, then the document, then what the device has now. Killed in between, the journal has
    ///   what the device said, or not, and the next write finishes it; the device can bring the same again.
    package func merge(
        _ exchange: ReplicaExchange, isDry: Bool = false, deliver: (([UInt8]) throws -> Void)? = nil
    ) throws -> ReplicaExchange.Outcome {
        guard !isDry else { return try rehearse(exchange) }
        return try writer.locked { journal, _ in
            try merge(exchange, into: &journal, acceptsEmptied: false, deliver: deliver)
        }
    }

    /// Merges the document of a device that was refused, because most is gone from it; or, of the device `document`, what others have
    /// written in the place of the journal's document.
    ///
    /// - Returns: What changed in the journal.
    /// - Throws: ``FormatError`` with `.recordInvalid` if nothing of the device was refused; ``FileError``.
    /// - Note: As ``merge(_:isDry:)``.
    package func accept(_ name: String, isDry: Bool = false) throws -> MergeCounts {
        try writer.locked { journal, _ in
            if name == SyncStamp.documentDevice { return try acceptDocument(in: &journal, isDry: isDry) }
            let device = try DeviceName(name)
            let replicas = ReplicaStore(journal.directory)
            guard let refused = try replicas.refused()[device],
                let contents = try replicas.contents(of: device, refused)
            else {
                throw FormatError(
                    .recordInvalid, "no document of '\(device)' was refused",
                    cure: "\(verb: "practice devices") lists the devices")
            }
            let exchange = ReplicaExchange(
                contents, from: device, base: .checksum(refused.base), written: refused.written,
                takesAnswer: false)
            let outcome =
                isDry
                ? try rehearse(exchange, acceptsEmptied: true)
                : try merge(exchange, into: &journal, acceptsEmptied: true, deliver: nil)
            guard case .merged(_, _, let counts) = outcome else { return MergeCounts() }
            return counts
        }
    }

    private func acceptDocument(in journal: inout LockedJournal, isDry: Bool) throws -> MergeCounts {
        let log = SyncLog(journal.directory)
        let before = try SyncHistory(log.lines()).state.values
        guard !isDry else {
            let opened = try OpenedDocument.look(at: journal.directory, now: now())
            let merged = try opened.document.merged(with: opened.state(log, now: now()).state)
            return try MergeCounts(from: before, to: DocumentValues(merged))
        }
        let opened = try OpenedDocument.open(in: &journal, now: now(), acceptsEmptied: true)
        let after = try DocumentValues(opened.document)
        note(.acceptReplica, before, after, in: journal)
        return MergeCounts(from: before, to: after)
    }

    /// Notes what was merged for an undo.
    private func note(
        _ operation: UndoableWrite.Operation, _ before: DocumentValues, _ after: DocumentValues,
        in journal: LockedJournal
    ) {
        let members = TraceStore.MemberChange.all(from: before, to: after)
        guard !members.isEmpty else { return }
        writer.note(
            IDGenerator.next(), operation, into: journal.id,
            [.members(path: OpenedDocument.file.string, members)])
    }

    private func merge(
        _ exchange: ReplicaExchange, into journal: inout LockedJournal, acceptsEmptied: Bool,
        deliver: (([UInt8]) throws -> Void)?
    ) throws -> ReplicaExchange.Outcome {
        let patience = DocumentPatience(patience)
        while true {
            do {
                let (outcome, kept) = try attempt(
                    exchange, &journal, acceptsEmptied: acceptsEmptied, patience)
                guard let kept else { return outcome }
                if case .merged(_, let answer, _) = outcome { try deliver?(answer) }
                let replicas = ReplicaStore(journal.directory)
                try replicas.keep(kept, of: exchange.device)
                try replicas.forgetRefused(of: exchange.device)
                return outcome
            } catch let error as FileError
                where error.code == .changedMeanwhile && error.path == documentPath
            {
                journal.state = nil
                guard try patience.awaitRest(in: journal.directory) else { throw error }
            }
        }
    }

    private var documentPath: FilePath { writer.path.appending(OpenedDocument.file) }

    /// - Returns: The outcome, and what the device has then; nil if it was refused.
    private func attempt(
        _ exchange: ReplicaExchange, _ journal: inout LockedJournal, acceptsEmptied: Bool,
        _ patience: DocumentPatience
    ) throws -> (outcome: ReplicaExchange.Outcome, kept: [UInt8]?) {
        let now = now()
        let opened = try OpenedDocument.open(in: &journal, now: now, patience: patience)
        let replicas = ReplicaStore(journal.directory)
        let log = SyncLog(journal.directory)
        try replicas.requireRoom(for: exchange.device)
        let base = try exchange.base(replicas, opened.document)
        if exchange.saysNothing(against: base, opened.document) {
            let answer = try exchange.answer(opened.document)
            return (
                .merged(.unchanged, answer: answer, counts: MergeCounts()), exchange.kept(answer)
            )
        }
        let known = try opened.state(log, now: now)
        let plan: ReplicaExchange.Plan
        do {
            plan = try exchange.plan(
                opened.document, known, base: base, omitsUnsaid: known.isFirst && opened.checksum != nil,
                acceptsEmptied: acceptsEmptied, now: now)
        } catch let refusal as ReplicaExchange.Refusal {
            try replicas.refuse(
                exchange.contents, of: exchange.device, base: OpenedDocument.checksum(of: refusal.base),
                written: exchange.written ?? now)
            return (.refused(refusal.emptied), nil)
        }
        try DocumentCommit(opened: opened, now: now, patience: patience).write(plan, in: &journal)
        if plan.document.bytes != opened.document.bytes {
            note(
                acceptsEmptied ? .acceptReplica : .mergeReplica, known.values, plan.values, in: journal)
        }
        let answer = try exchange.answer(plan.document)
        return (
            .merged(plan.method, answer: answer, counts: plan.counts), exchange.kept(answer)
        )
    }

    /// What would come of it; nothing is locked, and nothing written.
    private func rehearse(
        _ exchange: ReplicaExchange, acceptsEmptied: Bool = false
    ) throws -> ReplicaExchange.Outcome {
        let directory = try OpenDirectory(writer.path)
        let opened = try OpenedDocument.look(at: directory, now: now())
        let known = try opened.state(SyncLog(directory), now: now())
        do {
            let plan = try exchange.plan(
                opened.document, known, base: try exchange.base(ReplicaStore(directory), opened.document),
                omitsUnsaid: false, acceptsEmptied: acceptsEmptied, now: now())
            return .merged(plan.method, answer: try exchange.answer(plan.document), counts: plan.counts)
        } catch let refusal as ReplicaExchange.Refusal {
            return .refused(refusal.emptied)
        }
    }
}

extension UndoableWrite.Operation {
    fileprivate static let mergeReplica = Self(rawValue: "practice merge")
    fileprivate static let acceptReplica = Self(rawValue: "practice accept")
}

extension DocumentCommit {
    /// Writes the result of a merge: the log's line durable → the document replaced.
    ///
    /// - Throws: As ``write(_:as:in:)``.
    fileprivate func write(_ plan: ReplicaExchange.Plan, in journal: inout LockedJournal) throws {
        let new = plan.document.bytes
        guard plan.method != .unchanged || new != opened.document.bytes else { return }
        try commit(new, in: &journal) {
            SyncLine.text(
                of: plan.said, plan.stamp, at: now, clock: plan.clock, before: opened.checksum,
                after: OpenedDocument.checksum(of: new))
        }
    }
}
