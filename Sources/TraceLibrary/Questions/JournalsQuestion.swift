package import RecordFormat
package import SystemPackage
internal import TraceFormat
package import TraceIndex
internal import TraceStore

/// Which journals there are, of every kind: `trace journals`.
package struct JournalsQuestion: Sendable, Hashable {
    /// Only those of these kinds; nil for all.
    package var kinds: Set<JournalKind>?

    package init(kinds: Set<JournalKind>? = nil) { self.kinds = kinds }

    /// - Parameter index: One that is up to date with the journals of `scope`.
    /// - Throws: ``IndexError``.
    /// - Complexity: O(journals + their findings)
    package func answer(_ index: SessionIndex, in scope: RecordFilter.Scope) throws -> JournalsAnswer {
        JournalsAnswer(
            rows: try index.journals(scope, kinds: kinds).map { journal in
                var journal = journal
                journal.isOnline = try journal.root.map { try index.look(atRoot: $0) == .online } ?? true
                return journal
            })
    }
}

/// One journal, and how much of each kind of entry is in it: `trace journal show`.
package struct JournalQuestion: Sendable, Hashable {
    /// Its directory, or the file that is a journal on its own.
    package let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    /// - Parameter index: One that is up to date with the journal.
    /// - Throws: ``IndexError``, with `.noSuchSession` if there is none.
    package func answer(_ index: SessionIndex) throws -> JournalAnswer {
        guard let journal = try JournalsQuestion().answer(index, in: .session(path)).rows.first else {
            throw IndexError(
                .noSuchSession, "there is no journal", path: path, hint: "'trace journals' lists all")
        }
        return JournalAnswer(journal: journal, counts: try index.entryCounts(of: path))
    }
}

extension SessionLibrary {
    /// The journals below the roots that are no sessions, of an index that is up to date; whether they can be reached is theirs to say.
    ///
    /// - Throws: ``IndexError``.
    package func otherJournals(_ index: SessionIndex) throws -> [IndexedJournal] {
        let kinds = Set(index.formats.formats.map(\.layout.kind)).subtracting([.session])
        guard !kinds.isEmpty else { return [] }
        return try JournalsQuestion(kinds: kinds).answer(index, in: .roots(roots.paths)).rows
    }
}
