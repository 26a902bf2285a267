internal import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceIndex
internal import TraceText

/// A journal as a person names it: its directory or file, its id or the beginning of that, its title, or `last`; nothing for the
/// only one there is.
package struct JournalName: Sendable, Hashable {
    /// What was typed; nil for the only one.
    let text: String?

    package init(_ text: String?) { self.text = text }

    /// The journal that is meant.
    ///
    /// - Parameters:
    ///   - journals: Those that it can be.
    ///   - directory: Where a relative path begins.
    /// - Throws: ``LibraryError`` with `.noSuchJournal` or `.journalAmbiguous`, which names those that it can be.
    package func find(
        in journals: [IndexedJournal], from directory: FilePath
    ) throws(LibraryError) -> IndexedJournal {
        guard let text else { return try one(of: journals, named: "no journal is named") }
        if text == "last" {
            guard
                let last = journals.max(by: {
                    ($0.last?.milliseconds ?? .min) < ($1.last?.milliseconds ?? .min)
                })
            else {
                throw none(text, journals)
            }
            return last
        }
        let path = FilePath(text).absolute(from: directory)
        if let journal = journals.first(where: { $0.path == path }) { return journal }
        let upper = text.uppercased()
        for matches in [
            journals.filter { $0.id == upper }, journals.filter { $0.title == text },
            journals.filter { $0.id?.hasPrefix(upper) ?? false },
            journals.filter { $0.title?.lowercased() == text.lowercased() },
        ] where !matches.isEmpty {
            return try one(of: matches, named: "'\(text.oneLine)' is not one journal")
        }
        throw none(text, journals)
    }

    private func one(
        of journals: [IndexedJournal], named problem: String
    ) throws(LibraryError) -> IndexedJournal {
        guard let first = journals.first else { throw none(text ?? "", journals) }
        guard journals.count == 1 else {
            throw LibraryError(
                .journalAmbiguous, "\(problem), and there are \(journals.count)",
                cure: "name one of \(Self.list(journals))")
        }
        return first
    }

    private func none(_ text: String, _ journals: [IndexedJournal]) -> LibraryError {
        LibraryError(
            .noSuchJournal, text.isEmpty ? "there is no journal" : "there is no journal '\(text.oneLine)'",
            cure: journals.isEmpty
                ? "\(verb: "journals") lists those below the roots" : "there are \(Self.list(journals))")
    }

    private static func list(_ journals: [IndexedJournal]) -> String {
        let names = journals.prefix(5).map {
            "'\(($0.id ?? $0.path.escaped).oneLine)' (\($0.listName.oneLine))"
        }
        return names.joined(separator: ", ") + (journals.count > 5 ? ", and others" : "")
    }
}
