package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceIndex

/// The sessions of an answer, each asked for once, and the lines that are shown of them.
package final class SessionCache {
    private let index: SessionIndex
    private let lines: IndexedLines
    private var known: [FilePath: IndexedSession] = [:]

    /// - Parameter index: One that is up to date.
    package init(_ index: SessionIndex) {
        self.index = index
        lines = IndexedLines(index.formats)
    }

    /// What is known of a session.
    ///
    /// - Throws: ``IndexError`` with `.stale` if it has gone in between.
    package subscript(path: FilePath) -> IndexedSession {
        get throws {
            if let session = known[path] { return session }
            guard var session = try index.session(at: path) else {
                throw IndexError(.stale, "the session no longer exists", path: path)
            }
            session.isOnline = try session.root.map { try index.look(atRoot: $0) == .online } ?? true
            known[path] = session
            return session
        }
    }

    /// A record's line as it is in the file; nil if the root is offline, and what was last known is all there is.
    ///
    /// - Parameter take: Gets what is on the line, valid for the length of the call.
    /// - Throws: ``IndexError`` with `.stale` if the file has changed since the index read it.
    package func line(
        of record: IndexedRecord, _ take: (RecordChecker.Record) -> Void = { _ in }
    ) throws -> [UInt8]? {
        guard try self[record.session].isOnline else { return nil }
        do {
            return try lines.line(of: record, take)
        } catch let error as FileError where error.code == .notFound {
            throw IndexError(.stale, "the file no longer exists", path: record.file, underlying: error)
        }
    }
}
