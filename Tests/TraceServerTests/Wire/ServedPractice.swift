import Foundation
import ProgramHarness
import TestSupport

/// A practice journal with a library of three games, beside the sample's sessions.
struct ServedPractice {
    let directory: URL
    let id: String
    let sample: ServedSample

    static let id = "01KGNQZP000000000000000002"
    static let emptyDocument = #"{"schemaVersion":4,"journalEntries":[]}"#

    init(
        _ sample: ServedSample, _ name: String = "pins", id: String = Self.id, title: String = "Pins",
        timeZone: String? = nil, document: String? = Self.emptyDocument
    ) throws {
        self.sample = sample
        self.id = id
        directory = sample.session(name)
        // Made elsewhere: it is there as a whole, not first as a document on its own.
        let making = sample.copy.directory.appending(path: "making-\(name)")
        try FileManager.default.createDirectory(
            at: making.appending(path: "library"), withIntermediateDirectories: true)
        let zone = timeZone.map { "\"time_zone\":\"\($0)\"," } ?? ""
        let files = [
            "library/pinball_library_v3.json":
                #"{"version":3,"items":[{"practice_identity":"G1","name":"Comet Racer","bank":1},{"practice_identity":"G2","name":"Deep Reef","bank":2},{"practice_identity":"G3","name":"Deep Sea","bank":2}]}"#,
            "practice-state.json": document,
            "practice.json":
                #"{"id":"\#(id)","journal":"practice","format":1,"title":"\#(title)",\#(zone)"created_at":"2026-03-01T12:00:00.000Z"}"#,
        ]
        for case (let file, let text?) in files {
            try text.write(to: making.appending(path: file), atomically: true, encoding: .utf8)
        }
        try FileManager.default.moveItem(at: making, to: directory)
    }

    /// Puts the tables of the goldens' league into it, with players who are not to be named.
    func addLeague() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/journals/league").standardized
        try FileManager.default.createDirectory(
            at: directory.appending(path: "league"), withIntermediateDirectories: true)
        for (table, name) in [
            ("stats", "LPL_Stats"), ("standings", "LPL_Standings"), ("targets", "LPL_Targets"),
            ("redacted", "redacted_players"),
        ] {
            try write(
                String(contentsOf: fixtures.appending(path: "\(table).csv"), encoding: .utf8),
                to: "league/\(name).csv")
        }
    }

    /// Replaces a file as an editor does.
    func write(_ text: String, to name: String) throws {
        try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
    }

    var document: String {
        get throws {
            try String(contentsOf: directory.appending(path: "practice-state.json"), encoding: .utf8)
        }
    }

    /// An entry of the queue for it.
    static func entry(
        _ id: String, _ kind: String, _ payload: String, for journal: String = Self.id
    ) -> String {
        #"{"id":"\#(id)","kind":"practice.\#(kind)","journal_id":"\#(journal)","created_at":"2026-03-02T18:30:00.000Z","payload":\#(payload)}"#
    }
}
