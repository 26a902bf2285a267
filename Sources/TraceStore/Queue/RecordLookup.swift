package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat

/// Knows where the lines of a session's records are without reading its files: the index does, which the store does not know.
package protocol RecordLookup: Sendable {
    /// What is known of the lines of some files of records that have one of these ids.
    ///
    /// It is asked while the session is locked, so that it should not wait for anybody.
    ///
    /// - Parameters:
    ///   - files: As they are now.
    ///   - session: The path by which the session's directory was opened.
    /// - Returns: By kind; a file is left out if it is not certain that it still begins with what is known of it.
    func knownLines(
        of ids: Set<ULID>, in files: [RecordKind: OpenRegularFile], at session: FilePath
    ) -> [RecordKind: KnownLines]
}

/// Which lines of the first part of a file have an id that was asked for.
package struct KnownLines: Sendable {
    /// Where a line is.
    package struct Place: Sendable {
        var id: ULID
        /// Of its first byte.
        package var byteOffset: Int
        /// Without its line break.
        var byteLength: Int

        package init(id: ULID, byteOffset: Int, byteLength: Int) {
            self.id = id
            self.byteOffset = byteOffset
            self.byteLength = byteLength
        }
    }

    /// All of them, superseded ones too, in file order.
    package var places: [Place]
    /// Where that part ends, and with it what is known: a line begins there.
    package var resumePoint: RecordStream.ResumePoint

    package init(places: [Place], resumePoint: RecordStream.ResumePoint) {
        self.places = places
        self.resumePoint = resumePoint
    }

    /// What `value` makes of the lines, read from the file.
    ///
    /// - Returns: Nil if one of them is not where it should be: then nothing of this is right.
    /// - Throws: ``FileError`` with `.io`.
    fileprivate func lines<Value>(
        in file: OpenRegularFile, _ value: ([UInt8]) -> Value
    ) throws -> [(id: ULID, value: Value)]? {
        var lines: [(id: ULID, value: Value)] = []
        for place in places {
            guard place.byteLength <= LineBuffer.maximumLineLength,
                let line = try file.line(at: place.byteOffset, length: place.byteLength),
                RecordCheck.id(of: line) == place.id
            else { return nil }
            lines.append((place.id, value(line)))
        }
        return lines
    }
}

/// A line of the session that has the id of an entry.
package struct ExistingLine: Sendable {
    package let kind: RecordKind
    package let line: [UInt8]
}

extension SessionReader {
    /// The lines that have one of these ids, whatever their kind: an id is one record's of the session.
    ///
    /// - Parameter lookup: What need not be read, where it is sure; nil reads every file.
    /// - Throws: ``FileError`` if a file can't be read.
    /// - Complexity: O(size of the files), or of what `lookup` does not know of them.
    package func existing(
        _ ids: Set<ULID>, by lookup: (any RecordLookup)? = nil
    ) throws -> [ULID: [ExistingLine]] {
        var existing: [ULID: [ExistingLine]] = [:]
        try forEachLine(of: ids, by: lookup, { $0 }) { id, kind, line in
            existing[id, default: []].append(ExistingLine(kind: kind, line: line))
        }
        return existing
    }

    /// Those of the ids that no line has, whatever its kind.
    ///
    /// - Throws, Complexity: As ``existing(_:by:)``; in memory, the ids.
    func missing(of ids: Set<ULID>, by lookup: (any RecordLookup)? = nil) throws -> Set<ULID> {
        var missing = ids
        try forEachLine(of: ids, by: lookup, { _ in }) { id, _, _ in missing.remove(id) }
        return missing
    }

    /// - Parameter value: What is kept of a line until it is handed to `body`.
    private func forEachLine<Value>(
        of ids: Set<ULID>, by lookup: (any RecordLookup)?, _ value: ([UInt8]) -> Value,
        _ body: (ULID, RecordKind, Value) -> Void
    ) throws {
        var files: [RecordKind: OpenRegularFile] = [:]
        for kind in RecordKind.lines {
            if let file = try directory.openRegularFile(kind.component) { files[kind] = file }
        }
        let known = lookup?.knownLines(of: ids, in: files, at: directory.path) ?? [:]
        for kind in RecordKind.lines {
            guard let file = files[kind] else { continue }
            var start = RecordStream.ResumePoint.start
            if let part = known[kind], let lines = try part.lines(in: file, value) {
                for (id, line) in lines { body(id, kind, line) }
                start = part.resumePoint
            }
            for (id, lines) in try self.lines(of: ids, in: kind, file, from: start) {
                for line in lines { body(id, kind, value(line)) }
            }
        }
    }

    /// The lines that have one of these ids, in file order, as they are in the file.
    func lines(of ids: Set<ULID>, in kind: RecordKind) throws -> [ULID: [[UInt8]]] {
        guard let file = try directory.openRegularFile(kind.component) else { return [:] }
        return try lines(of: ids, in: kind, file, from: .start)
    }

    private func lines(
        of ids: Set<ULID>, in kind: RecordKind, _ file: OpenRegularFile, from start: RecordStream.ResumePoint
    ) throws -> [ULID: [[UInt8]]] {
        var places: [RecordSummary] = []
        try read(kind, in: file, from: start) { record in
            if let id = record.id, ids.contains(id) { places.append(record) }
        }
        var lines: [ULID: [[UInt8]]] = [:]
        for place in places {
            guard let id = place.id else { continue }
            lines[id, default: []].append(try file.slice(at: place.byteOffset, count: place.byteLength))
        }
        return lines
    }
}
