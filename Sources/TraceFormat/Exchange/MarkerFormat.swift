internal import TraceText

/// Writes markers one after the other, in the order of their offsets.
package protocol MarkerWriter: Sendable {
    /// Writes what stands before the first marker.
    func begin(_ text: inout [UInt8])
    /// Writes a marker, or several that share an entry.
    func write(_ item: ExportItem, to text: inout [UInt8])
    /// Writes what stands after the last marker.
    func end(_ text: inout [UInt8])
    /// Which markers share an entry: the number of the first of each; nil where each has its own.
    func entries(at offsets: some RandomAccessCollection<SessionOffset>) -> [Int]?
}

extension MarkerWriter {
    package func begin(_ text: inout [UInt8]) {}
    package func end(_ text: inout [UInt8]) {}
    package func entries(at offsets: some RandomAccessCollection<SessionOffset>) -> [Int]? { nil }
}

/// One of the formats in which markers are exchanged; it reads a file as a whole.
package protocol MarkerFormat: MarkerWriter {
    /// Reads what somebody has written.
    func read(_ source: ImportSource, into read: inout MarkerIntake)

    /// What stands for a marker's label, tags included where it has none.
    func title(of marker: Marker) -> String
    /// The offset that comes back, as fine as the format counts.
    func resolved(_ offset: SessionOffset) -> SessionOffset
    /// What a person should know of what has been written: so many entries, and so many characters in all.
    func notices(entries: Int, characters: Int) -> [String]
}

extension MarkerFormat {
    package func title(of marker: Marker) -> String { MarkerTitle.text(of: marker) }
    package func resolved(_ offset: SessionOffset) -> SessionOffset { offset }
    package func notices(entries: Int, characters: Int) -> [String] { [] }
}

/// A marker that is to be written, its offset as the file is to have it.
package struct ExportItem: Sendable {
    package var marker: Marker
    /// Those that share its entry.
    package var others: [Marker] = []
    /// The record as it stands in the session.
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

    /// Where a chapter ends that lasts until the next one begins.
    func end(_ context: ExchangeContext, atLeast shortest: Int64) -> SessionOffset {
        let start = marker.offset.milliseconds
        let (later, overflow) = start.addingReportingOverflow(1000)
        let open = context.length.map(\.milliseconds).flatMap { $0 > start ? $0 : nil }
        let end = next?.milliseconds ?? open ?? (overflow ? start : later)
        return SessionOffset(milliseconds: max(end, start + (start < .max ? shortest : 0)))
    }
}

/// What a format that has but one text for a marker writes there.
///
/// A marker that has no label but tags stands as `[highlight, x]`, and one that has neither as nothing, or as `[]` where
/// something must stand: what is read that way becomes tags again.
enum MarkerTitle {
    /// - Parameter isNeeded: Whether something must stand there.
    static func text(of marker: Marker, isNeeded: Bool = false) -> String {
        let label = (marker.label ?? "").oneLine
        if !label.isEmpty, !(isNeeded && isBlank(label)) { return label }
        let tags = marker.tags.joined(separator: ", ").oneLine
        return tags.isEmpty && !isNeeded ? "" : "[\(tags)]"
    }

    /// Whether readers that cut white space off would leave nothing.
    private static func isBlank(_ label: String) -> Bool {
        label.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    }

    /// The tags that a title stands for, or nil where it is a label.
    static func tags(of title: String) -> [String]? {
        guard title.hasPrefix("["), title.hasSuffix("]"), title.utf8.count >= 2 else { return nil }
        let inner = title.dropFirst().dropLast()
        if inner.isEmpty { return [] }
        let tags = inner.split(separator: ",", omittingEmptySubsequences: false).map {
            String($0.drop { $0 == " " })
        }
        return tags.allSatisfy(Marker.isTag) ? tags : nil
    }
}
