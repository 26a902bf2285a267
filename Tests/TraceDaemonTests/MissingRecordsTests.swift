import FileHarness
import Journals
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceConfiguration
import TraceFiles
import TraceFormat
import TraceIndex
import TraceStore

@testable import TraceDaemon

/// When what another program has overwritten is reported.
struct MissingRecordsTests {
    private let scratch: ScratchDirectory
    private let scene: EditingScene
    private let log = RecordingLog()

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private func settings(settleTime: String) throws -> TraceSettings {
        var flags = SettingsFlags()
        flags.set(TraceKeys.stateDirectory, by: "--state-directory", to: [scene.scene.queue.state.string])
        let context = SettingsContext(
            environment: ["TRACE_SETTLE_TIME": Array(settleTime.utf8)], workingDirectory: nil,
            systemFile: scratch("none"))
        return try TraceSettings.load(flags: flags, in: context)
    }

    @Test func `a look without news before the file has rested asks for another, and that one reports`()
        throws
    {
        let index = try JournalIndex(at: scratch("index.sqlite"), formats: Journals.all)
        let session = scene.session.path
        let before = try scene.markers.text()
        try scene.writer().mark(
            Marker(id: number(40), offset: SessionOffset(milliseconds: 5), createdAt: morning))
        _ = try index.reconcile(journal: session, in: nil, settleTime: .zero)
        try scene.markers.write(before)
        var missing = MissingRecords(index, log.logger, Metrics())
        // The index has read the file since: nothing in it is new.
        let isAskedFor = try missing.look(
            at: session, after: JournalReconciliation(.unchanged), wasUnsettled: true,
            settings(settleTime: "1h"))
        #expect(isAskedFor)
        #expect(log.take().isEmpty)
        let isAskedForAgain = try missing.look(
            at: session, after: JournalReconciliation(.unchanged), wasUnsettled: true,
            settings(settleTime: "0s"))
        #expect(!isAskedForAgain)
        #expect(
            log.take() == ["warning: another program has overwritten a record; 'trace restore' restores it"])
    }

    @Test func `what was set while session.json was empty is missed once that is back`() throws {
        let index = try JournalIndex(at: scratch("index.sqlite"), formats: Journals.all)
        let header = scene.session("session.json")
        let before = (header: try header.text(), markers: try scene.markers.text())
        var missing = MissingRecords(index, log.logger, Metrics())
        func look() throws -> Bool {
            _ = try index.reconcile(journal: scene.session.path, in: nil, settleTime: .zero)
            return try missing.look(
                at: scene.session.path, after: JournalReconciliation(.unchanged), wasUnsettled: true,
                settings(settleTime: "0s"))
        }
        try header.write("")
        try scene.writer().mark(
            Marker(id: number(40), offset: SessionOffset(milliseconds: 5), createdAt: morning))
        #expect(try !look() && log.take().isEmpty)
        try header.write(before.header)
        try scene.markers.write(before.markers)
        #expect(try !look())
        #expect(
            log.take() == ["warning: another program has overwritten a record; 'trace restore' restores it"])
    }

    @Test func `what an app has saved over in a practice journal is put back when its document has rested`()
        throws
    {
        let journal = scratch("pins")
        try OpenDirectory.make(journal)
        try journal.appending("practice.json").write(
            #"{"journal":"practice","format":1,"id":"\#(number(900))","created_at":"2026-01-01T00:00:00.000Z"}"#
        )
        let document = journal.appending("practice-state.json")
        let first = #"{"schemaVersion":4}"#
        try document.write(first)
        let entry = """
            {"id":"\(number(10))","kind":"practice.score","journal_id":"\(number(900))",\
            "created_at":"2026-02-01T00:00:00.000Z","payload":{"game":"G1","score":5}}
            """
        _ = try JournalWriter(journal, formats: Journals.all).write(
            CheckedEntry(
                read: SpoolEntry(parsing: Array(entry.utf8), named: number(10)), by: Journals.all))
        let written = try document.text()
        try document.write(first.replacing("}", with: #","mine":1}"#))
        var missing = MissingRecords(
            try JournalIndex(at: scratch("index.sqlite"), formats: Journals.all), log.logger, Metrics())
        for _ in 0..<2 {
            let isAskedFor = try missing.look(
                at: journal, after: JournalReconciliation(.updated), wasUnsettled: true,
                settings(settleTime: "0s"))
            #expect(!isAskedFor)
        }
        #expect(try document.text().contains(#""score":5"#) || document.text().contains(#""score": 5"#))
        #expect(try document.text() != written && document.text().contains(#""mine":1"#))
        let told = log.take()
        #expect(told.count == 1 && told[0].contains("score 5 of G1"), "\(told)")
    }
}
