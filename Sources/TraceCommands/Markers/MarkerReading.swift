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
        /// In lower case, as tags are.
        var tag: String?
    }

    /// A marker and its line.
    struct Found {
        var marker: Marker
        var line: [UInt8]
    }

    /// The markers that an up-to-date index finds.
    ///
    /// - Throws: ``IndexError`` with `.stale` where the file has changed since; ``StoreError``.
    func read(from index: SessionIndex) throws -> [Found] {
        let records = try index.records(of: session, kind: .marker, offsets: filter.offsets, tag: filter.tag)
        let checker = try RecordChecker(.marker)
        return try records.compactMap { Self.found(try index.line(of: $0), checker) }
    }

    /// The markers that a reading of the whole file finds.
    func readFile() throws -> [Found] {
        var places: [ULID: RecordSummary] = [:]
        let open = try OpenSession(session)
        _ = try open.read(.marker) { record in
            if let id = record.id { places[id] = record }
        } onFinding: { _ in
        }
        let matching = places.values.filter { record in
            guard let offset = record.offset, filter.offsets.contains(offset) else { return false }
            return filter.tag.map { tag in record.tags.contains { $0.lowercased() == tag } } ?? true
        }
        let checker = try RecordChecker(.marker)
        let ordered = matching.sorted {
            ($0.offset ?? .zero, $0.byteOffset) < ($1.offset ?? .zero, $1.byteOffset)
        }
        return try ordered.compactMap { record in
            let line = try open.directory.slice(
                of: RecordKind.marker.component, at: record.byteOffset, count: record.byteLength)
            return Self.found(line, checker)
        }
    }

    private static func found(_ line: [UInt8], _ checker: RecordChecker) -> Found? {
        PaddedBytes.withLine(line) { padded in
            checker.check(padded) { _ in }.flatMap(Marker.init).map { Found(marker: $0, line: line) }
        }
    }

    /// The offset of the last marker in the file, or nil when there is none.
    static func lastOffset(in session: FilePath) throws -> SessionOffset? {
        var last: SessionOffset?
        _ = try OpenSession(session).read(.marker) {
            last = $0.offset ?? last
        } onFinding: { _ in
        }
        return last
    }
}
