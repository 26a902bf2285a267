internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// What the lines of a log come to.
///
/// Source: practice.md, section 12.
struct SyncHistory {
    private(set) var state = SyncState()
    /// Whether there is a line.
    private(set) var isEmpty = true
    /// When the documents were written that the lines end with, in milliseconds, by their checksums.
    private(set) var documents: [String: Int64] = [:]

    /// - Throws: ``FormatError`` with `.recordInvalid` if a document in the log can't be compared.
    init(_ lines: [[UInt8]]) throws(FormatError) {
        for line in lines { try add(line) }
    }

    /// A torn line, which a killed writer has left, counts as none.
    private mutating func add(_ text: [UInt8]) throws(FormatError) {
        guard let line = SyncLine(text) else { return }
        let spelled = SpelledJSON(text)
        if let changes = spelled["changes"], line.write != nil {
            state.join(SyncState(changes: changes, stamp: line.stamp))
        } else if let said = spelled["state"].flatMap(SyncState.init) {
            state.join(said)
            for (checksum, written) in spelled["documents"]?.members ?? [] {
                documents[checksum] = written.integer.map { Int64($0) }
            }
        } else if let document = spelled["document"] {
            let values = try DocumentValues(MergeInput(Array(document.text)).document)
            // A log begins with one; of two logs that were joined, each.
            let isFirst = isEmpty || line.stamp.device.isEmpty
            state.join(SyncState(from: isFirst ? nil : state.values, to: values, stamp: line.stamp))
        } else {
            return
        }
        isEmpty = false
        documents[line.after] = line.written
    }
}
