package import RecordFormat
internal import TraceFiles
package import TraceFormat

extension SessionReader {
    /// A record and its line, as it is in the file.
    package struct Found<Value> {
        package var value: Value
        package var line: [UInt8]
    }

    /// The records of a kind that count, the last line of each id, in the order of the file.
    ///
    /// - Parameters:
    ///   - isWanted: Which of them; their lines alone are read a second time, as it takes the whole file to know which line of
    ///     an id is the last. Is asked by several threads.
    ///   - decode: Makes a value of a line, or nil if it is too broken.
    /// - Throws: ``FileError`` if the file can't be read, with `.changedMeanwhile` if another program overwrites it.
    /// - Complexity: O(size of the file) in time; in memory, what is wanted, and a few words a line while it is read.
    package func authoritative<Value>(
        _ kind: RecordKind, where isWanted: @escaping @Sendable (CheckedLine) -> Bool = { _ in true },
        _ decode: @escaping (RecordChecker.Record) -> Value?
    ) throws -> [Found<Value>] {
        try authoritativeLines(kind, where: isWanted, decode).records
    }

    /// As ``authoritative(_:where:_:)``, with how many lines of the file hold no record, or one without a valid id or offset.
    package func authoritativeLines<Value>(
        _ kind: RecordKind, where isWanted: @escaping @Sendable (CheckedLine) -> Bool = { _ in true },
        _ decode: @escaping (RecordChecker.Record) -> Value?
    ) throws -> (records: [Found<Value>], unreadable: Int) {
        guard let file = try open(kind, { throw $0 }) else { return ([], 0) }
        let lines = try LineKeys(
            of: kind, in: file, isSettled: isSettled(file.identity), where: isWanted)
        let reader = try RecordDecoder(kind, decode)
        let window = LineWindow(file)
        return (try lines.keys.compactMap { try reader.decode(window.line($0)) }, lines.unreadable)
    }
}

/// Makes values of single lines.
package struct RecordDecoder<Value> {
    private let checker: RecordChecker
    private let make: (RecordChecker.Record) -> Value?

    /// - Throws: ``FormatError`` with `.memory`.
    package init(_ kind: RecordKind, _ make: @escaping (RecordChecker.Record) -> Value?) throws {
        checker = try RecordChecker(kind, strictness: .readable)
        self.make = make
    }

    /// The record that a line holds, or nil if it is too broken.
    package func decode(_ line: [UInt8]) -> SessionReader.Found<Value>? {
        PaddedBytes.withLine(line) { padded in
            checker.check(padded) { _ in }.flatMap(make).map { SessionReader.Found(value: $0, line: line) }
        }
    }
}
