package import TraceFormat

extension OpenSession {
    /// A record and its line, as it stands in the file.
    package struct Found<Value> {
        package var value: Value
        package var line: [UInt8]
    }

    /// The records of a kind that count, the last line of each id, in the order of the file.
    ///
    /// - Parameters:
    ///   - isWanted: Which of them; their lines alone are read a second time.
    ///   - decode: Makes a value of a line, or nil where it is too broken.
    /// - Throws: ``StoreError``, with `.changedMeanwhile` where the file became shorter in between.
    /// - Complexity: O(size of the file) in time; in memory, a summary of each record.
    package func authoritative<Value>(
        _ kind: RecordKind, where isWanted: (RecordSummary) -> Bool = { _ in true },
        _ decode: @escaping (RecordChecker.Record) -> Value?
    ) throws -> [Found<Value>] {
        var places: [ULID: RecordSummary] = [:]
        _ = try read(kind) { record in
            if let id = record.id { places[id] = record }
        } onFinding: { _ in
        }
        let reader = try RecordDecoder(kind, decode)
        let wanted = places.values.filter(isWanted).sorted { $0.byteOffset < $1.byteOffset }
        guard !wanted.isEmpty else { return [] }
        guard let file = try directory.openRegularFile(kind.component) else {
            throw StoreError(
                .changedMeanwhile, "went while it was read", path: directory.path(of: kind.component))
        }
        return try wanted.compactMap { place in
            reader.decode(try file.slice(at: place.byteOffset, count: place.byteLength))
        }
    }
}

/// Makes values of single lines.
package struct RecordDecoder<Value> {
    private let checker: RecordChecker
    private let make: (RecordChecker.Record) -> Value?

    /// - Throws: ``FormatError`` with `.memory`.
    package init(_ kind: RecordKind, _ make: @escaping (RecordChecker.Record) -> Value?) throws {
        checker = try RecordChecker(kind)
        self.make = make
    }

    /// The record that a line holds, or nil where it is too broken.
    package func decode(_ line: [UInt8]) -> OpenSession.Found<Value>? {
        PaddedBytes.withLine(line) { padded in
            checker.check(padded) { _ in }.flatMap(make).map { OpenSession.Found(value: $0, line: line) }
        }
    }
}
