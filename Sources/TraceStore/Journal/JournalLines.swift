package import RecordFormat
internal import SystemPackage
package import TraceFiles
internal import TraceText

/// The lines of a journal's file that hold a record with an id, as the file was when it was read.
package struct JournalLines {
    /// The file; nil if there is none.
    let file: FileContents?
    /// In the order of the file, each with the bytes that it is, its line break among them.
    let lines: [(id: ULID, range: Range<Int>)]

    /// - Parameter finishing: Whether a last line without a line break counts if it is whole, as the next append finishes it.
    /// - Throws: ``FileError`` if the file is there and can't be read; ``FormatError`` with `.memory`.
    /// - Complexity: O(size of the file)
    init(_ schema: RecordSchema, in directory: OpenDirectory, finishing: Bool) throws {
        var lines: [(id: ULID, range: Range<Int>)] = []
        file = try FilePath.Component(schema.fileName).flatMap { try directory.readFile($0, limit: .max) }
        if let bytes = file?.contents {
            let stream = try RecordStream(linesOf: schema, strictness: .readable) { line in
                guard let id = line.id else { return }
                let start = line.line.offset
                let end = bytes[(start + line.line.content.count)...].firstIndex(of: newline)
                lines.append((id, start..<(end.map { $0 + 1 } ?? bytes.count)))
            } onFinding: { _ in
            }
            try stream.take(bytes)
            if finishing, bytes.last != newline { try stream.take([newline]) }
        }
        self.lines = lines
    }

    /// The file of these records in a journal's directory.
    ///
    /// - Throws: ``FileError`` if the file is there and can't be read; ``FormatError`` with `.memory`.
    /// - Complexity: O(size of the file)
    package init(_ schema: RecordSchema, in directory: OpenDirectory) throws {
        try self.init(schema, in: directory, finishing: false)
    }

    /// The records that count, of several lines with one id the last, in the order of their lines.
    ///
    /// - Parameter read: The value of one; nil for one that has none, which is left out.
    /// - Throws: ``FormatError`` with `.memory`.
    package func records<Value>(_ read: (ULID, JSONValue) -> Value?) throws -> [Value] {
        let parser = try JSONParser()
        let last = lastLines
        return try lines.enumerated().compactMap { index, line in
            guard last[line.id] == index else { return nil }
            return try parser.withParsed(text(of: index)) { read(line.id, $0) }
        }
    }

    /// The place among the lines of the last one of each id.
    var lastLines: [ULID: Int] {
        Dictionary(lines.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// The bytes of a line, without its line break.
    func text(of index: Int) -> [UInt8] {
        guard let file else { return [] }
        let text = file.contents[lines[index].range]
        return Array(text.last == newline ? text.dropLast() : text)
    }

    /// What is wrong with the lines of a file; nothing if there is none.
    ///
    /// - Throws: ``FileError`` if it can't be read; ``FormatError`` with `.memory`.
    /// - Complexity: O(size of the file)
    static func findings(in slot: FileSlot, as schema: RecordSchema, of snapshot: JournalSnapshot) throws
        -> [Finding]
    {
        guard let file = try snapshot.readFile(slot, limit: .max) else { return [] }
        var findings: [Finding] = []
        let stream = try RecordStream(
            linesOf: schema, isSettled: snapshot.isSettled(file.identity), onLine: { _ in },
            onFinding: { findings.append($0) })
        try stream.take(file.contents)
        try stream.finish()
        return findings
    }
}

extension RecordStream {
    /// Takes the next bytes of the file.
    fileprivate func take(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let space = space()
            let piece = rest.prefix(space.count)
            space.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            try filled(piece.count)
        }
    }
}

private let newline = UInt8(ascii: "\n")
