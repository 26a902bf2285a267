package import RecordFormat
internal import TraceFormat
package import TraceIndex

/// What happened, in the order in which it did; at one moment in the order of the kinds of journal, then of their files.
package struct TimelineAnswer: Sendable {
    let rows: [Row]
    /// Sessions that have nothing on the timeline, the earliest first; empty unless they were asked for.
    private let silentSessions: [IndexedSession]
    /// Where the next page continues; nil if there are no more.
    package let next: TimelinePosition?

    init(rows: [Row], silentSessions: [IndexedSession] = [], next: TimelinePosition?) {
        self.rows = rows
        self.silentSessions = silentSessions
        self.next = next
    }

    /// Whether nothing happened.
    package var isEmpty: Bool { rows.isEmpty && silentSessions.isEmpty }

    /// A record with the journal that it is in.
    package struct Row: Sendable {
        let record: TimelineRecord
        let journal: IndexedSession
        /// The record as it is in its file; nil where the root is offline.
        let text: [UInt8]?

        /// The record with the keys of docs/cli-json.md.
        fileprivate func json(_ form: AnswerForm) -> JSONText {
            .object { object in
                object.member("time", JSONText(record.time))
                object.member("kind", JSONText(record.kind.name))
                object.journal(at: journal.path, journal.id?.description, form)
                object.member("title", journal.title.map { JSONText($0) })
                object.member("online", JSONText(journal.isOnline))
                object.member("entry", JSONText(record.record.kindName))
                let id = record.record.otherID ?? record.record.id?.description
                object.member("record_id", id.map { JSONText($0) })
                object.member("subject", record.record.subject.map { JSONText($0) })
                object.member("text", JSONText(shownText))
                object.member("record", text.map { JSONText(verbatim: $0) })
            }
        }

        /// What is shown of it.
        var shownText: String {
            [record.record.text, record.record.note, record.record.mediaPath].compactMap(\.self).first {
                !$0.isEmpty
            } ?? ""
        }
    }

    /// The records as an array, and between them the sessions that have none.
    package func json(_ form: AnswerForm) -> JSONText { .array(items.lazy.map { $0.json(form) }) }

    /// Of each record, local time, kind of journal, title, kind of entry and text.
    ///
    /// - Parameter isDated: Whether the time has its day and its zone.
    package func fields(in zone: ZoneRules, isDated: Bool) -> [[String]] {
        items.map { $0.entry.fields(in: zone, isDated: isDated) }
    }

    /// What is shown of it all, in the order of time; at one moment, a session that has nothing comes behind the records.
    package var items: [Item] {
        var items: [Item] = []
        var silent = silentSessions[...]
        for row in rows {
            while let session = silent.first, let start = session.startTime,
                Self.comesFirst(session, before: row.record)
            {
                items.append(.session(session, start))
                silent.removeFirst()
            }
            items.append(.record(row))
        }
        return items + silent.compactMap { session in session.startTime.map { .session(session, $0) } }
    }

    /// Whether the next thing that is shown is a session, and not a record.
    static func comesFirst(_ session: IndexedSession?, before record: TimelineRecord?) -> Bool {
        guard let start = session?.startTime else { return false }
        return record.map { start < $0.time } ?? true
    }

    /// What is shown in one line.
    package enum Item: Sendable {
        case record(Row)
        /// A session that has nothing on the timeline, and when it began.
        case session(IndexedSession, Timestamp)
    }
}

extension TimelineAnswer.Item {
    /// When it was.
    package var time: Timestamp {
        switch self {
        case .record(let row): row.record.time
        case .session(_, let start): start
        }
    }

    /// The name of the kind of journal.
    package var kindName: String {
        switch self {
        case .record(let row): row.record.kind.name
        case .session: JournalKind.session.name
        }
    }

    /// What the journal is called.
    package var title: String {
        switch self {
        case .record(let row): row.journal.listName
        case .session(let session, _): session.listName
        }
    }

    /// The kind of entry, without that of the kind of journal before it.
    package var entryName: String {
        switch self {
        case .record(let row): row.record.entryName
        case .session: JournalKind.session.name
        }
    }

    /// What it says.
    package var text: String {
        switch self {
        case .record(let row): row.shownText
        case .session(let session, _):
            session.duration.map { "\($0.clock) long, without markers" }
                ?? (session.status == .closed ? "without markers" : "active, without markers")
        }
    }

    fileprivate var entry: DayTimeline.Entry {
        DayTimeline.Entry(
            JournalKind(name: kindName), title: title, entryKind: entryName, time: Double(time.milliseconds),
            text: text)
    }

    /// As a row of the list.
    package func json(_ form: AnswerForm) -> JSONText {
        switch self {
        case .record(let row): row.json(form)
        case .session(let session, let start):
            .object { object in
                object.member("time", JSONText(start))
                object.member("kind", JSONText(kindName))
                object.journal(at: session.path, session.id?.description, form)
                object.member("title", session.title.map { JSONText($0) })
                object.member("online", JSONText(session.isOnline))
                object.member("entry", JSONText(entryName))
                object.member("text", JSONText(text))
            }
        }
    }
}
