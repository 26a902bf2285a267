internal import SystemPackage
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// Finds markers of one session, by the index or in the file; the lines themselves always come from the file.
struct MarkerReading {
    let session: FilePath
    let filter: Filter

    struct Filter {
        var offsets: ClosedRange<SessionOffset>
        /// All of them, in lower case, as tags are.
        var tags: [String]

        func matches(_ record: RecordSummary) -> Bool {
            guard let offset = record.offset, offsets.contains(offset) else { return false }
            return bears(record.tags)
        }

        func bears(_ other: [String]) -> Bool {
            tags.allSatisfy { tag in other.contains { $0.lowercased() == tag } }
        }
    }

    /// A marker and its line.
    typealias Found = OpenSession.Found<Marker>

    /// The markers that an up-to-date index finds.
    ///
    /// - Throws: ``IndexError`` with `.stale` where the file has changed since; ``StoreError``.
    func read(from index: SessionIndex) throws -> [Found] {
        let records = try index.records(
            of: session, kind: .marker, offsets: filter.offsets, tag: filter.tags.first)
        let decoder = try RecordDecoder(.marker) { Marker($0) }
        let lines = RecordLines()
        return try records.filter { filter.bears($0.tags) }.compactMap {
            decoder.decode(try lines.line(of: $0))
        }
    }

    /// The markers that a reading of the whole file finds.
    func readFile() throws -> [Found] {
        let found = try OpenSession(session).authoritative(.marker, where: filter.matches) { Marker($0) }
        return found.enumerated().sorted { left, right in
            (left.element.value.offset, left.offset) < (right.element.value.offset, right.offset)
        }.map(\.element)
    }

    /// The offset of the last marker in the file, or nil when there is none.
    static func lastOffset(in session: SessionTarget) throws -> SessionOffset? {
        var last: SessionOffset?
        try OpenSession(session.directory).read(.marker) { last = $0.offset ?? last }
        return last
    }
}
