internal import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceIndex
internal import TraceText

/// The sessions of an answer, each asked for once, and the lines that are shown of them.
package final class SessionCache {
    private let index: JournalIndex
    private let lines: IndexedLines
    private var known: [FilePath: IndexedSession] = [:]

    /// - Parameter index: One that is up to date.
    package init(_ index: JournalIndex) {
        self.index = index
        lines = IndexedLines(index.formats)
    }

    /// What is known of a session.
    ///
    /// - Throws: ``IndexError`` with `.stale` if it has gone in between.
    package subscript(path: FilePath) -> IndexedSession {
        get throws {
            if let session = known[path] { return session }
            // Answers that are about any journal show of the others what all have.
            let other = { try self.index.journals(.session(path)).first.map { IndexedSession($0) } }
            guard var session = try index.session(at: path) ?? other() else {
                throw IndexError(.stale, "the session no longer exists", path: path)
            }
            session.isOnline = try session.root.map { try index.look(atRoot: $0) == .online } ?? true
            known[path] = session
            return session
        }
    }

    /// A part of a document as one object on one line: it may be on several, and what is one member of it has no braces.
    private static func object(_ text: [UInt8]) -> [UInt8] {
        let object =
            text.first { $0 > 0x20 } == UInt8(ascii: "{")
            ? text : [UInt8(ascii: "{")] + text + [UInt8(ascii: "}")]
        return object.contains(UInt8(ascii: "\n")) ? JSONText.compacted(object) : object
    }

    /// A record's line as it is in the file; nil if the root is offline, and what was last known is all there is.
    ///
    /// - Parameter take: Gets what is on the line, valid for the length of the call.
    /// - Throws: ``IndexError`` with `.stale` if the file has changed since the index read it.
    func line(
        of record: IndexedRecord, _ take: (RecordChecker.Record) -> Void = { _ in }
    ) throws -> [UInt8]? {
        guard try self[record.session].isOnline else { return nil }
        do {
            return Self.object(try lines.line(of: record, take))
        } catch let error as FileError where error.code == .notFound {
            throw IndexError(.stale, "the file no longer exists", path: record.file, underlying: error)
        }
    }
}
