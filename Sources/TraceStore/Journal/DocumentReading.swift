package import RecordFormat
package import TraceFiles

/// A file that is one document, as its format has read it.
package struct DocumentReading: Sendable {
    /// The file, as it was when it was read.
    package let identity: FileIdentity
    /// In the order of the file.
    package var records: [DocumentRecord] = []
    /// By place.
    package var findings: [Finding] = []

    package init(_ identity: FileIdentity) { self.identity = identity }
}

/// A record of a document: its place, and what an index keeps of it.
package struct DocumentRecord: Sendable, Equatable {
    package let kind: EntryKind
    /// 1-based, in the order of the file, among the records of its kind.
    let ordinal: Int
    /// The bytes of the file that are the record, and nothing else; empty, at a place of its own, where none are: in a document that
    /// is converted when it is read.
    package let range: Range<Int>
    /// The record as it was converted, one JSON object; nil where bytes of the file are the record.
    package var converted: [UInt8]?
    /// Milliseconds since 1970, without a fraction; nil for what has no time.
    package var time: Timestamp?
    /// Opaque; a UUID in lower case.
    package var id: String?
    /// The id of another record.
    package var reference: String?
    /// The id of what it is about.
    package var subject: String?
    /// A word that tells records of the kind apart.
    package var detail: String?
    /// What a search looks in; the text is what people are shown.
    package var text, note: String?
    /// Tags as those of any record: in lower case.
    package var tags: [String] = []

    package init(_ kind: EntryKind, _ ordinal: Int, at range: Range<Int>) {
        self.kind = kind
        self.ordinal = ordinal
        self.range = range
    }
}
