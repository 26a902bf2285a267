package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceIndex

/// Journals, in the order of their kinds, then of their paths.
package struct JournalsAnswer: Sendable {
    package let rows: [IndexedJournal]
    /// Where the next page continues; nil if there are no more.
    package let next: JournalKey?

    /// The journals as an array.
    package func json(_ form: AnswerForm) -> JSONText { .array(rows.lazy.map { $0.json(form) }) }
}

/// Where in the list of all journals one is.
package struct JournalKey: Sendable, Hashable {
    package let kind: JournalKind
    package let path: FilePath

    package init(kind: JournalKind, path: FilePath) {
        self.kind = kind
        self.path = path
    }

    init(_ journal: IndexedJournal) { self.init(kind: journal.kind, path: journal.path) }
}

/// A journal, and what is in it.
package struct JournalAnswer: Sendable {
    package let journal: IndexedJournal
    /// The kinds of entry that it has, by their names, and how many of each.
    package let counts: [(name: String, count: Int)]

    /// The journal with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            journal.add(to: &object, form)
            object.member(
                "entries",
                .object { entries in
                    for (name, count) in counts { entries.member(name, JSONText(Int64(count))) }
                })
        }
    }
}

extension IndexedJournal {
    /// What a list calls it: its title, else the name of its directory or file.
    package var listName: String {
        title.flatMap { $0.isEmpty ? nil : $0 } ?? path.lastComponent?.escaped ?? path.escaped
    }

    /// The journal with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText { .object { add(to: &$0, form) } }

    fileprivate func add(to object: inout JSONObjectText, _ form: AnswerForm) {
        object.member("kind", JSONText(kind.name))
        object.journal(at: path, id, form)
        object.member("title", title.map { JSONText($0) })
        object.member("records", JSONText(Int64(recordCount)))
        object.member("first", first.map { JSONText($0) })
        object.member("last", last.map { JSONText($0) })
        object.member("errors", JSONText(Int64(findingCounts[.error] ?? 0)))
        object.member("warnings", JSONText(Int64(findingCounts[.warning] ?? 0)))
        object.member("state", JSONText(state))
        object.member("online", JSONText(isOnline))
    }
}
