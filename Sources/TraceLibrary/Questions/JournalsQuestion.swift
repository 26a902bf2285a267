package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceIndex
internal import TraceStore
internal import TraceText

/// Which journals there are, of every kind: `trace journals`.
package struct JournalsQuestion: Sendable, Hashable {
    /// Only those of these kinds; nil for all.
    var kinds: Set<JournalKind>?
    /// At most so many, > 0; nil for all.
    package var limit: Int?
    /// Where the page before ended (``JournalsAnswer/next``).
    package var after: JournalKey?

    package init(kinds: Set<JournalKind>? = nil) { self.kinds = kinds }

    /// - Parameter index: One that is up to date with the journals of `scope`.
    /// - Throws: ``IndexError``.
    /// - Complexity: O(journals + their findings)
    package func answer(_ index: JournalIndex, in scope: RecordFilter.Scope) throws -> JournalsAnswer {
        func isLater(_ journal: IndexedJournal, than key: JournalKey) -> Bool {
            let rank = index.formats.rank(of: journal.kind)
            let last = index.formats.rank(of: key.kind)
            return rank == last
                ? key.path.bytes.lexicographicallyPrecedes(journal.path.bytes) : last < rank
        }
        var found = try index.journals(scope, kinds: kinds)[...]
        if let after { found = found.drop { !isLater($0, than: after) } }
        let page = limit.map { found.prefix($0) } ?? found
        return JournalsAnswer(
            rows: try page.map { journal in
                var journal = journal
                journal.isOnline = try journal.root.map { try index.look(atRoot: $0) == .online } ?? true
                return journal
            },
            next: page.count < found.count ? page.last.map(JournalKey.init) : nil)
    }
}

/// One journal, and how much of each kind of entry is in it: `trace journal show`.
package struct JournalQuestion: Sendable, Hashable {
    /// Its directory, or the file that is a journal on its own.
    let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    /// - Parameter index: One that is up to date with the journal.
    /// - Throws: ``IndexError``, with `.noSuchSession` if there is none.
    package func answer(_ index: JournalIndex) throws -> JournalAnswer {
        guard let journal = try JournalsQuestion().answer(index, in: .session(path)).rows.first else {
            throw IndexError(
                .noSuchSession, "there is no journal", path: path, cure: "\(verb: "journals") lists all")
        }
        return JournalAnswer(journal: journal, counts: try index.entryCounts(of: path))
    }
}

extension JournalLibrary {
    /// The journals below the roots that are no sessions, of an index that is up to date; whether they can be reached is theirs to say.
    ///
    /// - Throws: ``IndexError``.
    package func otherJournals(_ index: JournalIndex) throws -> [IndexedJournal] {
        let kinds = index.formats.otherKinds
        guard !kinds.isEmpty else { return [] }
        return try JournalsQuestion(kinds: kinds).answer(index, in: .roots(roots.paths)).rows
    }
}
