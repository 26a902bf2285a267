package import RecordFormat
package import SystemPackage
package import TraceFormat

/// Selects the records of one kind of one session; of each id, the line that counts.
package struct RecordSelection: Sendable, Hashable {
    /// The session's directory.
    package var session: FilePath
    /// A kind whose records have offsets: any but actions.
    var kind: RecordKind
    /// Only those that are within, counted from the start of the session.
    package var offsets = SessionOffset.zero...SessionOffset(milliseconds: .max)
    /// Only those that have all of these tags, ignoring case, and categories in either spelling.
    package var tags: [String] = []

    /// All records of that kind.
    package init(of session: FilePath, _ kind: RecordKind) {
        self.session = session
        self.kind = kind
    }
}

/// Where a record stands in the list of a session's records of one kind, in which it comes by offset, then by line.
package struct RecordSortKey: Sendable, Hashable, Comparable {
    /// From the start of the session.
    package let offset: SessionOffset
    /// In the file; 1-based.
    package let line: Int

    /// The place behind which a list continues; there need not be a record.
    package init(offset: SessionOffset, line: Int) {
        self.offset = offset
        self.line = line
    }

    /// That of a record.
    package init(_ record: IndexedRecord) {
        self.init(offset: record.offset ?? .zero, line: record.line)
    }

    /// Orders places as lists do.
    package static func < (left: Self, right: Self) -> Bool {
        (left.offset, left.line) < (right.offset, right.line)
    }
}

extension JournalIndex {
    /// The records of a selection that come next in the order of their offsets, then of their lines.
    ///
    /// - Parameters:
    ///   - key: Where the list was left; nil for its beginning. What was added before that place since is not in the answer.
    ///   - limit: At most so many, > 0; nil for all.
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + what is returned + what lies between and is superseded or lacks the tags).
    package func records(
        _ selection: RecordSelection, after key: RecordSortKey? = nil, limit: Int? = nil
    ) throws -> [IndexedRecord] {
        try database.read { database in
            try RecordQuery(selection.session, formats, in: database)
                .records(selection, after: key, limit: limit)
        }
    }

    /// The place after which `count` records of a selection follow before an offset; nil if there are no more than these
    /// before it, so that the list begins with its first.
    ///
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + `count` + what lies between and is superseded or lacks the tags).
    package func sortKey(
        in selection: RecordSelection, countingBack count: Int, from offset: SessionOffset
    ) throws -> RecordSortKey? {
        try database.read { database in
            try RecordQuery(selection.session, formats, in: database)
                .sortKey(of: selection, countingBack: count, from: offset)
        }
    }
}
