package import RecordFormat
internal import TraceFiles
internal import TraceStore

/// A device brings its document, and gets the journal's: what it says is the difference between what it brings and what it had.
///
/// Source: docs/spec/practice.md#exchange-between-devices.
package struct ReplicaExchange: Sendable {
    /// What the device had.
    package enum Base: Sendable {
        /// It does not say, or had nothing.
        case none
        /// The bytes with this SHA-256, in hexadecimal digits.
        case checksum(String)
        /// What was exchanged with it last.
        case last
    }

    /// How a document was merged.
    package enum Method: String, Sendable {
        /// By what the device had.
        case threeWay = "three-way"
        /// What the device had is not known: nothing was removed, and what the journal had before is not taken for new.
        case union
        /// The device said nothing new.
        case unchanged
    }

    /// The outcome.
    package enum Outcome: Sendable {
        /// - Parameters:
        ///   - answer: The journal's document in the form for the device.
        ///   - counts: What changed in the journal.
        case merged(Method, answer: [UInt8], counts: MergeCounts)
        /// Most is gone from what the device brings; nothing was merged until a person accepts it.
        case refused(EmptiedDocument)
    }

    let device: DeviceName
    /// What the document is called in errors.
    let name: String
    /// What the device brings.
    let contents: [UInt8]
    let base: Base
    /// When the device wrote what it brings; nil for now.
    let written: Timestamp?
    /// Whether the device gets the document as a strict reader can read it (``StrictView``).
    let isStrict: Bool
    /// Whether the device has the answer afterwards, so that its next document is compared with that; else it keeps what it brings.
    let takesAnswer: Bool

    package init(
        _ contents: [UInt8], named name: String = "the document", from device: DeviceName, base: Base,
        written: Timestamp? = nil, isStrict: Bool = false, takesAnswer: Bool
    ) {
        self.contents = contents
        self.name = name
        self.device = device
        self.base = base
        self.written = written
        self.isStrict = isStrict
        self.takesAnswer = takesAnswer
    }

    /// What is to be written.
    struct Plan {
        let method: Method
        /// What the device says, and what the document said before that no line of the log does.
        let said: SyncState
        let stamp: SyncStamp
        let clock: SyncStamp?
        let document: PracticeDocument
        /// What is in it.
        let values: DocumentValues
        let counts: MergeCounts
    }

    /// A document of which most is gone.
    struct Refusal: Error {
        let emptied: EmptiedDocument
        /// What the device had.
        let base: [UInt8]
    }

    /// Compares what the device brings with what it had, and joins it to what is known.
    ///
    /// - Parameters:
    ///   - document: The journal's.
    ///   - known: What is known of it.
    ///   - base: The bytes that the device had.
    ///   - omitsUnsaid: Whether what the document says is noted in another way.
    /// - Throws: ``FormatError`` with `.recordInvalid` if what the device brings can't be merged; ``Refusal``.
    func plan(
        _ document: PracticeDocument, _ known: DocumentState, base: [UInt8]?, omitsUnsaid: Bool,
        acceptsEmptied: Bool, now: Timestamp
    ) throws -> Plan {
        // What gets the answer in place of what it brought would lose what is not a record.
        let input = try MergeInput(contents, named: name)
        let (read, leftOut) = takesAnswer ? (try input.values(), []) : try input.valuesOfRecords()
        let had = try base.map {
            $0 == contents ? read : try MergeInput($0).valuesOfRecords().values
        }
        let brought = had.map { read.withTextKeys(of: $0) } ?? read
        if !acceptsEmptied, let base, let had, let emptied = EmptiedDocument(from: had, to: brought) {
            throw Refusal(emptied: emptied, base: base)
        }
        let stamp =
            had == nil
            ? SyncStamp.unnoted(newest: brought.newest)
            : .next(
                of: device.description, after: known.state.latest[device.description],
                at: min(written ?? now, now))
        let said =
            had.map {
                SyncState(from: $0, to: brought, stamp: stamp).withoutMovedTimes(knowing: known.state)
            }
            ?? SyncState(brought, beyond: known.state, stamp: stamp)
        let joined = known.state.joined(with: said)
        let isNew = joined != known.state
        let merged = try document.merged(with: joined)
        let method: Method = !isNew || said.isEmpty ? .unchanged : had == nil ? .union : .threeWay
        let undecided = had == nil ? known.state.undecided(in: brought) : []
        var values = known.values
        var counts = MergeCounts(undecided: undecided, leftOut: leftOut)
        if merged.bytes != document.bytes {
            values = try DocumentValues(merged)
            counts = MergeCounts(from: known.values, to: values, undecided: undecided, leftOut: leftOut)
        }
        return Plan(
            method: method, said: omitsUnsaid ? said : known.unsaid.joined(with: said), stamp: stamp,
            clock: DocumentState.clock(after: [known.clock, stamp]), document: merged, values: values,
            counts: counts)
    }

    /// Whether the device brings what it had, or, where that is not known, the journal's document byte for byte: the most frequent
    /// exchange, for which neither document has to be taken apart.
    func saysNothing(against base: [UInt8]?, _ document: PracticeDocument) -> Bool {
        contents == base ?? document.bytes
    }

    /// What the device has once it got the answer.
    func kept(_ answer: [UInt8]) -> [UInt8] { takesAnswer ? answer : contents }

    /// What the device gets of a document.
    func answer(_ document: PracticeDocument) throws -> [UInt8] {
        isStrict ? try StrictView(of: document).bytes : document.bytes
    }

    /// The bytes that the device had; nil if that is not known, or not kept any more.
    func base(_ replicas: ReplicaStore, _ document: PracticeDocument) throws -> [UInt8]? {
        let versions = try replicas.versions(of: device)
        // What it says again, it has said already.
        if let newest = versions.first, newest.checksum == OpenedDocument.checksum(of: contents) {
            return contents
        }
        switch base {
        case .none: return nil
        case .last: return try versions.first.flatMap { try replicas.contents(of: device, $0.checksum) }
        case .checksum(let checksum):
            if let kept = try replicas.contents(of: device, checksum) { return kept }
            // It may have fetched the document as it still is.
            if OpenedDocument.checksum(of: document.bytes) == checksum { return document.bytes }
            let strict = try StrictView(of: document).bytes
            return OpenedDocument.checksum(of: strict) == checksum ? strict : nil
        }
    }
}
