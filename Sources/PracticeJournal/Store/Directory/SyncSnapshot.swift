internal import RecordFormat
internal import SystemPackage
internal import TraceFiles

/// A log that has grown long, rewritten: of each write what it is recognised by, and one line with what all lines came to.
///
/// Its first line tells how long it was when it was made; nothing else reads that line.
///
/// Source: docs/practice.md#the-log-of-writes.
struct SyncSnapshot {
    let bytes: [UInt8]
    /// The last document of another program that the log had whole; nil if it had none.
    let found: [UInt8]?

    /// - Parameter lines: Of the log; the last whole one is in step with the document.
    /// - Returns: Nil if no line is whole.
    /// - Throws: ``FormatError`` with `.recordInvalid` if a document in the log can't be compared.
    init?(of lines: [[UInt8]]) throws(FormatError) {
        guard let last = lines.reversed().lazy.compactMap({ SyncLine($0) }).first else { return nil }
        let history = try SyncHistory(lines)
        found = lines.reversed().lazy.compactMap { SpelledJSON($0)["document"].map { Array($0.text) } }.first
        var rest: [UInt8] = []
        var documents = history.documents
        for text in lines where text.starts(with: SyncLine.writePrefix) {
            guard let line = SyncLine(text), let write = line.write else { continue }
            rest += SyncLine.text(
                of: write, line.stamp, before: nil, after: line.after,
                changes: .array(NotedChange.all(in: text).map(\.json)))
            rest.append(newline)
            documents[line.after] = nil
        }
        documents[last.after] = nil
        rest += SyncLine.text(
            ofSnapshot: history.state, last.stamp, at: last.written,
            clock: DocumentState.clock(after: Array(history.state.latest.values)), document: last.after,
            earlier: documents)
        rest.append(newline)
        let head = JSONText.object { text in
            text.member("shortened", JSONText.object { $0.member("bytes", JSONText(Int64(rest.count))) })
        }
        bytes = head.bytes + [newline] + rest
    }

    /// How long a log was when it was last rewritten, in bytes; 0 if that never was.
    ///
    /// - Parameter head: What the log begins with.
    static func length(in head: [UInt8]) -> Int {
        guard let line = head.split(separator: newline).first else { return 0 }
        let read = try? JSONParser().withParsed(Array(line)) { root in
            root[name: "shortened"]?[name: "bytes"]?.integer.map { Int(clamping: $0) }
        }
        return (read ?? nil) ?? 0
    }
}

extension SyncLog {
    /// No log is rewritten below this length, in bytes.
    private static let shortestLong = 256 << 10

    /// Rewrites the log if it is more than four times as long as the document, and at least twice as long as when that was done last.
    ///
    /// - Parameter document: The length of the document that the log ends with, in bytes.
    /// - Throws: ``FileError``, ``FormatError``; then the log is as it was.
    /// - Note: Durable on return. Killed in between, the log is the old or the new one.
    func shorten(besides document: Int, by lock: DirectoryLock) throws {
        guard let log = try directory.openRegularFile(Self.file) else { return }
        let size = Int(clamping: log.identity.size)
        guard size > max(Self.shortestLong, 4 * document),
            size / 2 > SyncSnapshot.length(in: try log.slice(at: 0, count: min(size, 64)))
        else { return }
        guard let old = try directory.readFile(Self.file, limit: .max),
            let snapshot = try SyncSnapshot(of: old.contents.split(separator: newline).map { Array($0) })
        else { return }
        let replicas = ReplicaStore(lock.directory)
        if let found = snapshot.found, try replicas.versions(of: .document).isEmpty {
            try replicas.keep(found, of: .document)
        }
        try lock.directory.replaceFile(Self.file, with: snapshot.bytes, expecting: old.identity)
    }
}

private let newline = UInt8(ascii: "\n")
