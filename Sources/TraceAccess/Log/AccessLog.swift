internal import TraceStore
internal import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceText

/// What was done to the tokens and with them: one JSON object a line, in `access/access.log` of the state directory.
///
/// It is in `access/` because appending locks the directory, and the lock of the state directory is that of the queue, which a drain may
/// hold for minutes. A line that is appended does not change the directory, so ``TokenTable`` reads nothing again because of it.
package struct AccessLog: Sendable {
    private let directory: AccessDirectory
    private let runtimeDirectory: FilePath?

    private static let file: FilePath.Component = "access.log"
    /// Beyond this size in bytes the older half goes.
    private let limit: Int64

    /// The log of a state directory.
    ///
    /// - Parameter runtimeDirectory: Where locks go if the file system has none for directories.
    package init(
        state: FilePath, runtimeDirectory: FilePath?, limit: Int64 = 16 << 20, failPoint: FailPoint? = nil
    ) {
        directory = AccessDirectory(AccessDirectory.tokens(in: state), failPoint: failPoint)
        self.runtimeDirectory = runtimeDirectory
        self.limit = limit
    }

    /// Appends an event.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return. Killed in between, the line is there, or not, or torn, which the next append recognises.
    package func append(_ event: AccessEvent) throws {
        _ = try directory.made()
        try DirectoryLock.holding(
            directory.path, runtimeDirectory: runtimeDirectory, failPoint: directory.failPoint
        ) { lock in
            let appended = try lock.appendLine(
                event.json.bytes, to: Self.file, isWholeRecord: RecordCheck.isObject)
            if appended.identity.size > limit { try forgetOlderHalf(lock) }
        }
    }

    private func forgetOlderHalf(_ lock: DirectoryLock) throws {
        guard let old = try lock.directory.readFile(Self.file, limit: .max) else { return }
        let middle = old.contents.count / 2
        guard let end = old.contents[middle...].firstIndex(of: newline) else { return }
        try lock.directory.replaceFile(
            Self.file, with: Array(old.contents[(end + 1)...]), expecting: old.identity)
    }

    /// The events, the earliest first, and the lines that are none.
    ///
    /// - Throws: ``FileError`` if the log can't be read.
    package func events() throws -> (events: [AccessEvent], problems: [FileError]) {
        guard let directory = try directory.opened(),
            let file = try directory.readFile(Self.file, limit: 1 << 30)
        else { return ([], []) }
        var events: [AccessEvent] = []
        var problems: [FileError] = []
        let parser = try JSONParser()
        let lines = file.contents.split(separator: newline, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if let event = try? parser.withParsed(line, { AccessEvent($0) }) {
                events.append(event)
            } else if index < lines.count - 1 {
                // The last one may still be in transit.
                problems.append(
                    FileError(
                        .invalidData, "is not a line of the access log", path: directory.path(of: Self.file),
                        line: index + 1, cure: "remove the line, or leave it: it does no harm"))
            }
        }
        return (events, problems)
    }
}
