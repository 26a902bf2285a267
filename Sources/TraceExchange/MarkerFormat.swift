package import RecordFormat
package import TraceFormat
package import TraceStore
internal import TraceText

/// One of the formats in which markers are exchanged; it reads a file as a whole.
package protocol MarkerFormat: MarkerWriter {
    /// Reads what somebody has written.
    func read(_ source: ImportSource, into read: inout MarkerSink)

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

extension ExportItem {
    /// Where a chapter ends that lasts until the next one begins.
    func end(_ context: ExchangeContext, atLeast shortest: Int64) -> SessionOffset {
        let start = marker.offset
        // A session that was never closed has no end that is known.
        let now = context.now.flatMap { $0.length(since: start) <= 86_400_000 ? $0 : nil }
        let open = (context.length ?? now).flatMap { $0 > start ? $0 : nil }
        let end = next ?? open ?? start.sum(with: SessionOffset(milliseconds: 1000)) ?? start
        return max(end, start.adding(SessionOffset(milliseconds: shortest)))
    }
}

/// What a format that has but one text for a marker writes there.
///
/// A marker that has no label but tags stands as `[highlight, x]`, and one that has neither as nothing, or as `[]` where
/// something must stand: what is read that way becomes tags again.
enum MarkerTitle {
    /// - Parameter isNeeded: Whether something must be there.
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

    /// The tags that a title stands for, or nil if it is a label.
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
