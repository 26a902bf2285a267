internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// What the lines of a log come to.
///
/// Source: docs/spec/practice.md#each-line-of-syncjsonl.
struct SyncHistory {
    private(set) var state = SyncState()
    /// Whether there is a line.
    private(set) var isEmpty = true
    /// When the documents were written that the lines end with, in milliseconds, by their checksums.
    private(set) var documents: [String: Int64] = [:]
    /// The documents of others that the lines have whole, in their order.
    private(set) var found: [FoundDocument] = []
    /// What each line says, but for those of a log that was shortened, and the document before it.
    private var statements: [(before: String?, said: SyncState)] = []

    /// - Throws: ``FormatError`` with `.recordInvalid` if a document in the log can't be compared.
    init(_ lines: [[UInt8]]) throws(FormatError) {
        for line in lines { try add(line) }
    }

    /// A torn line, which a killed writer has left, counts as none.
    private mutating func add(_ text: [UInt8]) throws(FormatError) {
        guard let line = SyncLine(text) else { return }
        let spelled = SpelledJSON(text)
        if let changes = spelled["changes"], line.write != nil {
            let said = SyncState(changes: changes, stamp: line.stamp)
            statements.append((line.before, said))
            state.join(said)
        } else if let said = spelled["state"].flatMap(SyncState.init) {
            state.join(said)
            if spelled["documents"] == nil {
                statements.append((line.before, said))
            } else if spelled["complete"]?.isTrue != true {
                state.forgetPast()
            }
            for (checksum, written) in spelled["documents"]?.members ?? [] {
                documents[checksum] = written.integer.map { Int64($0) }
            }
        } else if let document = spelled["document"] {
            let values = try DocumentValues(MergeInput(Array(document.text)).document)
            found.append(FoundDocument(checksum: line.after, values: values))
            // A log begins with one; of two logs that were joined, each.
            let isFirst = isEmpty || line.stamp.device.isEmpty
            state.join(SyncState(from: isFirst ? nil : state.values, to: values, stamp: line.stamp))
        } else {
            return
        }
        isEmpty = false
        documents[line.after] = line.written
    }

    /// What was said since a document was there; all that is known, if no line tells when that was.
    func said(since document: String) -> [SyncState] {
        let start = statements.lastIndex { $0.before == document } ?? 0
        return statements[start...].map(\.said)
    }
}

/// A document that another program has left in the place of ours.
struct FoundDocument {
    let checksum: String
    let values: DocumentValues
}
