internal import Journals
internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// How many journals of each kind there are.
struct JournalCounts {
    private let counts: [JournalKind: Int]

    init(_ counts: [JournalKind: Int]) { self.counts = counts }

    var sessions: Int { counts[.session] ?? 0 }
    /// Those of all other kinds.
    var others: Int { counts.values.reduce(0, +) - sessions }

    /// Each with its number, sessions also if there are none.
    var text: String { words { $0 == .session || counts[$0] != nil } }

    /// As ``text``, but of sessions only if there are some, or nothing else.
    var textOfPresent: String { others > 0 ? words { counts[$0, default: 0] > 0 } : text }

    private func words(_ isTold: (JournalKind) -> Bool) -> String {
        Journals.all.formats.map(\.layout.kind).filter(isTold).map {
            counted(counts[$0] ?? 0, $0 == .session ? "session" : "\($0) journal")
        }.joined(separator: ", ")
    }
}
