import FileHarness
import Glibc
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore

/// A practice journal with a queue beside it, and a clock that stands still.
struct JournalScene {
    let root: FilePath
    let queue: QueueDirectories
    static let id = number(900)
    static let formats = JournalRegistry([
        SessionFormat(), PracticeFormat(writing: PracticeWriting(patience: .seconds(60)) { Scene.now }),
    ])

    var journal: FilePath { root.appending("pins") }

    /// Makes the journal.
    ///
    /// - Parameter document: Nil for one without a document.
    init(in root: FilePath, document: String? = Self.document) throws {
        self.init(at: root)
        try OpenDirectory.make(journal)
        try journal.appending("practice.json").write(Self.header)
        if let document { try journal.appending("practice-state.json").write(document) }
        try OpenDirectory.make(journal.appending("library"))
        try journal.appending("library/pinball_library_v3.json").write(Self.library)
    }

    /// Puts the tables of a league into the journal.
    func addLeague(_ tables: [String: String]? = nil) throws {
        try OpenDirectory.make(journal.appending("league"))
        for (name, text) in tables ?? Self.league { try journal.appending("league/\(name)").write(text) }
    }

    /// Three scores of Ada Quill, one of which is on a machine that the library does not have, and one of a player who is not to be
    /// named.
    static let league = [
        "LPL_Stats.csv": """
        Season,BankNumber,Bank,Player,Machine,RawScore,Points,EventDate
        Season 4,1,Bank One,Ada Quill,Comet Racer,"15,000,000",12,2026-02-02
        Season 4,1,Bank One,Bo Marsh,Comet Racer,9000000,8,2026-02-02
        Season 4,1,Bank One,ADA quill,Deep Reef,5500000,15,2026-02-09
        Season 4,1,Bank One,Ada Quill,Lost Ark,1,1,2026-02-09

        """,
        "redacted_players.csv": "name\nBo Marsh\n",
    ]

    /// A scene that has been made already, e.g. by the parent of this process.
    init(at root: FilePath) {
        self.root = root
        queue = QueueDirectories(state: root.appending("state"))
    }

    private static let header = """
        {"journal":"practice","format":1,"id":"\(id)","title":"Pins","created_at":"2026-01-01T00:00:00.000Z"}

        """

    /// With keys that nobody knows, numbers in odd spellings, and white space.
    static let document = """
        {
          "schemaVersion": 4, "future" : {"kept":1e2},
          "scoreEntries": [
            {"id": "6F9619FF-8B86-D011-B42D-00C04FC964FF", "gameID": "GaB12", "score": 1.50, "context": "practice", "timestamp": 1772300000000.25, "mood": "fine"}
          ],
          "journalEntries": [
            {"id": "3F2504E0-4F89-41D3-9A0C-0305E82C3301", "gameID": "GaB12", "action": "scoreLogged", "score": 1.50, "scoreContext": "practice", "timestamp": 1772300000000.25}
          ]
        }

        """

    private static let library = """
        {"version":3,"libraries":[],"items":[
        {"library_entry_id":"v1--comet-racer","practice_identity":"GaB12","slug":"comet-racer","game":"Comet Racer"},
        {"library_entry_id":"v1--deep-reef","practice_identity":"Gk9Xy","slug":"deep-reef","game":"Deep Reef"}]}
        """

    // MARK: - What is there

    func text(_ name: FilePath.Component = "practice-state.json") throws -> String {
        let file = try OpenDirectory(journal).readFile(name)
        return try String(decoding: #require(file).contents, as: UTF8.self)
    }

    func read() throws -> PracticeDocument { try Scene.document(text().utf8) }

    /// The lines of `sync.jsonl`.
    func log() throws -> [GoldenValue] {
        try text("sync.jsonl").split(separator: "\n").map { GoldenValue(Array($0.utf8)) }
    }

    // MARK: - Writing

    static func entry(_ id: Int, _ operation: String, _ payload: String, at time: Int = 0) -> String {
        let moment = Timestamp(milliseconds: 1_772_400_000_000 + Int64(time))
        return """
            {"id":"\(number(id))","kind":"practice.\(operation)","journal_id":"\(Self.id)","created_at":"\(moment)",\
            "payload":\(payload)}

            """
    }

    func put(_ entry: String, _ id: Int) throws {
        try OpenDirectory.make(queue.local.path)
        try queue.local.path.appending("\(number(id)).json").write(entry)
    }

    func locate(_ id: ULID) -> [FilePath] { id == Self.id ? [journal] : [] }

    @discardableResult
    func drain(failPoint: FailPoint? = nil) throws -> [String] {
        var drain = Drain(queue, now: { Scene.now }, locate: locate)
        drain.formats = Self.formats
        drain.failPoint = failPoint
        return try drain.run().map(QueueScene.summary)
    }

    /// Delivers an entry as it comes over the network.
    func send(_ entry: String, _ id: Int, failPoint: FailPoint? = nil) throws -> EntryDelivery.Outcome {
        var delivery = EntryDelivery(queue, now: { Scene.now })
        delivery.formats = Self.formats
        delivery.failPoint = failPoint
        let item = EntryDelivery.Item(read: try SpoolEntry(parsing: Array(entry.utf8), named: number(id)))
        return try #require(delivery.deliver([item], locate: locate).first).get()
    }

    /// Writes an entry as a command does, and notes it for an undo.
    @discardableResult
    func perform(
        _ entry: String, _ id: Int, formats: JournalRegistry = Self.formats, failPoint: FailPoint? = nil
    ) throws -> AppliedOperation {
        let entry = try CheckedEntry(
            read: SpoolEntry(parsing: Array(entry.utf8), named: number(id)), by: formats)
        var writer = JournalWriter(journal, formats: formats)
        writer.undoLog = UndoLog(state: queue.state)
        writer.failPoint = failPoint
        return try writer.write(entry)
    }

    func undo(isDryRun: Bool = false, failPoint: FailPoint? = nil) throws -> Undo.Outcome {
        try undoing(failPoint).run(user: UInt32(geteuid()), isDryRun: isDryRun)
    }

    func redo(isDryRun: Bool = false, failPoint: FailPoint? = nil) throws -> Undo.Outcome {
        try undoing(failPoint).redo(user: UInt32(geteuid()), isDryRun: isDryRun)
    }

    private func undoing(_ failPoint: FailPoint?) -> Undo {
        var undo = Undo(UndoLog(state: queue.state), queue: queue, locate: locate)
        undo.formats = Self.formats
        undo.failPoint = failPoint
        return undo
    }
}
