internal import FileHarness
internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TestSupport
internal import Testing
package import TraceFiles
package import TraceFormat
package import TraceStore
package import TraceText

/// A session, a queue with a second spool that a phone fills, and a clock that stands still.
package struct QueueScene {
    package let root: FilePath
    package let session: SampleSession
    package let queue: QueueDirectories

    package var local: FilePath { queue.local.path }
    package var phone: FilePath { root.appending("phone") }

    /// Makes everything but the state directory.
    package init(in root: FilePath) throws {
        self.init(at: root)
        _ = try SampleSession(at: session.path)
        try OpenDirectory.make(phone)
    }

    /// A scene that has been made already, e.g. by the parent of this process.
    package init(at root: FilePath) {
        self.root = root
        session = SampleSession(existing: root.appending("set"))
        queue = QueueDirectories(state: root.appending("state"), spools: [root.appending("phone")])
    }

    /// Drains with the session located by its header, as a scan of the roots would.
    @discardableResult
    package func drain(
        now: Timestamp = morning, failPoint: FailPoint? = nil, shouldStop: () -> Bool = { false },
        report: (any StructuredError) -> Void = { Issue.record($0) }
    ) throws -> [DrainOutcome] {
        var drain = Drain(queue, now: { now }, locate: locate)
        drain.failPoint = failPoint
        drain.lockTimeout = waitLimit
        return try drain.run(shouldStop: shouldStop, report: report)
    }

    // MARK: - Delivery

    /// What delivers entries without a spool, and waits for a lock as long as a slow disk may take, unless the test says how long.
    package func delivery(
        now: Timestamp = morning, failPoint: FailPoint? = nil, lockTimeout: Duration = waitLimit
    ) -> EntryDelivery {
        var delivery = EntryDelivery(queue, now: { now })
        delivery.failPoint = failPoint
        delivery.lockTimeout = lockTimeout
        return delivery
    }

    /// The directories of the sessions that have an id, by their headers.
    package func locate(_ id: ULID) -> [FilePath] {
        SessionLocator(roots: [root.appending("set"), root.appending("more")]).candidates()
            .filter { $0.session.id == id }.map(\.path)
    }

    /// An entry as a device sends it, with its audio, where that is ``sound``.
    package func item(
        _ entry: String, _ id: Int, hasAudio: Bool = false, deliveredBy deliverer: Deliverer? = nil
    ) throws -> EntryDelivery.Item {
        let audio = root.appending("upload")
        if hasAudio, !audio.exists { try audio.write(Self.sound) }
        return EntryDelivery.Item(
            try SpoolEntry(parsing: Array(entry.utf8), named: number(id)), audio: hasAudio ? audio : nil,
            deliveredBy: deliverer)
    }

    /// Delivers one entry.
    @discardableResult
    package func send(
        _ entry: String, _ id: Int, hasAudio: Bool = false, deliveredBy deliverer: Deliverer? = nil,
        by delivery: EntryDelivery? = nil
    ) throws -> EntryDelivery.Outcome {
        let item = try item(entry, id, hasAudio: hasAudio, deliveredBy: deliverer)
        let outcomes = (delivery ?? self.delivery()).deliver([item], locate: locate)
        return try #require(outcomes.first).get()
    }

    /// Drains, and says what became of each entry: the number of its id, the result and the reason.
    package func results(now: Timestamp = morning) throws -> [String] {
        try drain(now: now).map(Self.summary)
    }

    package static func summary(_ outcome: DrainOutcome) -> String {
        let number = Int(outcome.id.description.dropFirst(3)) ?? 0
        let reason: String? =
            switch outcome.result {
            case .recordVanished: nil
            default: outcome.result.reason
            }
        return "\(number) \(outcome.result.name)" + (reason.map { ": \($0)" } ?? "")
    }

    /// Puts an entry into a spool as a sync tool does: the file as it is, under its name.
    package func deliver(_ entry: String, _ id: Int, to spool: FilePath? = nil) throws {
        let spool = spool ?? local
        try OpenDirectory.make(spool)
        try spool.appending("\(number(id)).json").write(entry)
    }

    // MARK: - Entries

    package static func entry(
        _ id: Int, _ kind: String, _ payload: String, session: ULID = SampleSession.id, _ more: String = ""
    )
        -> String
    {
        """
        {"id":"\(number(id))","kind":"\(kind)","session_id":"\(session)","created_at":"2026-02-04T20:54:41.780Z",\
        "device":"phone","payload":\(payload)\(more)}

        """
    }

    package static func markerLine(_ id: Int, note: String = "") -> String {
        """
        {"id":"\(number(id))","offset_ms":\(id)000,"created_at":"2026-02-04T20:54:41.780Z","source":"user",\
        "note":"\(note)","tags":["highlight"]}
        """
    }

    package static func marker(_ id: Int, note: String = "", session: ULID = SampleSession.id) -> String {
        entry(id, "marker", markerLine(id, note: note), session: session)
    }

    package static func noteLine(_ id: Int, path: String? = nil) -> String {
        """
        {"id":"\(number(id))","created_at":"2026-02-04T20:54:41.780Z",\
        "media_path":"\(path ?? "media/\(number(id)).m4a")","offset_ms":\(id)000,"duration_ms":700}
        """
    }

    /// A voice note whose audio is ``sound``.
    package static func note(_ id: Int, path: String? = nil, audio: String? = nil) -> String {
        entry(
            id, "voice_note", noteLine(id, path: path),
            """
            ,"attachment":{"name":"\(audio ?? "\(number(id)).m4a")","size":5,"sha256":"\(soundChecksum)"}
            """)
    }

    package static let sound = "sound"
    package static let soundChecksum = "dd29442deca69f52c50006b831cb216edf78a7da33748f0a80ff19f2ebe57ecd"

    package static func actionLine(_ id: Int, status: String = "started") -> String {
        """
        {"id":"\(number(id))","action":"export-clips","created_at":"2026-02-04T20:54:41.780Z","status":"\(status)"}
        """
    }

    package static func action(_ id: Int) -> String { entry(id, "action_request", actionLine(id)) }

    /// What the header says after a drain, at its clock.
    package static func header(voiceNotes: Bool = false) -> String {
        let header = SampleSession.header.replacing(
            "2026-02-04T20:30:00.000Z", with: "2026-02-05T08:00:00.000Z")
        return voiceNotes
            ? header.replacing(
                "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\"") : header
    }

    /// The ids in the ledger, as numbers.
    package func ledger() throws -> [Int] {
        guard queue.state.appending("applied.jsonl").exists else { return [] }
        return try queue.state.appending("applied.jsonl").text().matches(of: #/{"id":"01J(\d+)"/#).compactMap
        { Int($0.1) }
    }

    /// The names in one of the queue's directories.
    package func names(_ directory: FilePath) throws -> [String] {
        directory.exists ? try tree(of: directory).keys.sorted() : []
    }
}

extension SampleSession {
    /// A session that lies there already.
    package init(existing path: FilePath) { self.path = path }
}
