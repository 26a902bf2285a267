package import RecordFormat
package import TraceFormat

/// Writes markers one after the other, in the order of their offsets.
package protocol MarkerWriter: Sendable {
    /// Writes what precedes the first marker.
    func begin(_ text: inout [UInt8])
    /// Writes a marker, or several that share an entry.
    func write(_ item: ExportItem, to text: inout [UInt8])
    /// Writes what stands after the last marker.
    func end(_ text: inout [UInt8])
    /// Which markers share an entry: the number of the first of each; nil if each has its own.
    func entries(at offsets: some RandomAccessCollection<SessionOffset>) -> [Int]?
}

extension MarkerWriter {
    package func begin(_ text: inout [UInt8]) {}
    package func end(_ text: inout [UInt8]) {}
    package func entries(at offsets: some RandomAccessCollection<SessionOffset>) -> [Int]? { nil }
}

/// A marker that is to be written, its offset as the file is to have it.
package struct ExportItem: Sendable {
    package var marker: Marker
    /// Those that share its entry.
    package var others: [Marker] = []
    /// The record as it is in the session.
    package var line: [UInt8] = []
    /// Whether the record has another offset.
    package var isMoved = false
    /// How many entries come before it.
    package var number: Int
    /// Where the next entry stands; nil for the last.
    package var next: SessionOffset?

    package init(
        _ marker: Marker, others: [Marker] = [], line: [UInt8] = [], isMoved: Bool = false, number: Int,
        next: SessionOffset? = nil
    ) {
        self.marker = marker
        self.others = others
        self.line = line
        self.isMoved = isMoved
        self.number = number
        self.next = next
    }
}
