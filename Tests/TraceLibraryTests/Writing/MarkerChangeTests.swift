import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceLibrary

/// Markers as they are typed, before it is known what that means.
struct MarkerChangeTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession
    private let writer: LibraryWriter

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch("sessions").appending("a"))
        try session("markers.jsonl").write(
            #"{"id":"\#(number(10))","offset_ms":60000,"created_at":"2026-02-04T20:01:00.000Z","source":"user","label":"a","tags":["fix_review"]}"#
                + "\n")
        let state = scratch("state")
        writer = LibraryWriter(
            roots: SessionRoots([scratch("sessions")]), stateDirectory: state,
            runtimeDirectory: scratch("run"), database: state.appending("index.sqlite"), command: number(99)
        ) { Issue.record($0) }
    }

    private var target: SessionTarget {
        get throws { try SessionTarget(reading: session.path) }
    }

    private func edited(
        _ change: MarkerChange, report: (MarkerChange.Notice) -> Void = { _ in }
    ) throws -> EditedRecord {
        try writer.editMarker(number(10), in: target, change, report: report)
    }

    @Test func `what is given changes, and every other byte stays`() throws {
        var change = MarkerChange()
        change.offset = "+5s"
        change.label = "b"
        change.tags = ["highlight"]
        change.untags = ["fix-review"]
        var notices: [String] = []
        let record = try edited(change) { notices.append($0.place.notice) }
        #expect(notices == ["at 1:05.000 (65000 ms), 5 s after marker at 1:00.000"])
        #expect(
            String(decoding: record.editing.line, as: UTF8.self)
                == #"{"id":"\#(number(10))","offset_ms":65000,"created_at":"2026-02-04T20:01:00.000Z","source":"user","label":"b","tags":["highlight"]}"#
        )
        #expect(
            text(record.markerJSON(.web)).hasPrefix(
                #"{"id":"\#(number(10))","changed":true,"handle":"\#(SampleSession.id)","session_id":"\#(SampleSession.id)","marker":{"#
            ))
    }

    @Test func `a change to what is there changes nothing`() throws {
        var change = MarkerChange()
        change.offset = "1:00"
        change.label = "a"
        let record = try edited(change)
        #expect(!record.editing.isChanged)
        let error = #expect(throws: LibraryError.self) { try edited(MarkerChange()) }
        #expect(error?.code == .nothingToChange)
    }

    @Test(arguments: MarkerChange.Field.allCases) func `a field is cleared`(_ field: MarkerChange.Field)
        throws
    {
        var change = MarkerChange()
        change.cleared = [field]
        let record = try edited(change)
        #expect(record.editing.isChanged == (field == .label || field == .tags))
        #expect(!String(decoding: record.editing.line, as: UTF8.self).contains("\"\(field.rawValue)\""))
    }

    @Test func `a marker that is removed leaves its references, or is kept`() throws {
        let removed = try writer.removeMarker(number(10), from: target)
        #expect(text(removed.json(.web)).hasSuffix(#""unlinked":[]}"#))
        let error = #expect(throws: StoreError.self) { try writer.removeMarker(number(10), from: target) }
        #expect(error?.code == .noSuchRecord)
    }

    // MARK: - New ones

    private func resolved(_ draft: MarkerDraft) throws -> MarkerDraft.Resolved {
        let target = try WriteTarget(
            .directory(session.path), from: scratch.path, in: writer, mayBeAbsent: false)
        return try draft.resolved(for: target, now: Timestamp("2026-02-04T20:02:00Z") ?? morning)
    }

    @Test func `what is typed for a marker is resolved by the session`() throws {
        let draft = MarkerDraft(
            offset: "now-10s", label: "x", tags: ["highlight", ""], duration: "1.5s")
        let resolved = try resolved(draft)
        #expect(resolved.marker.offset.milliseconds == 110_000)
        #expect(resolved.marker.duration?.milliseconds == 1500)
        #expect(resolved.marker.tags == ["highlight"])
        #expect(resolved.place.origin == "10 s before now at 2:00.000")
        #expect(resolved.warnings.isEmpty)
    }

    @Test func `a slip is written, with a warning`() throws {
        #expect(try resolved(MarkerDraft(offset: "90")).warnings.count == 1)
        #expect(try resolved(MarkerDraft(offset: "10:00")).warnings.count == 1)
    }

    @Test func `a voice note that can't be meant is refused`() throws {
        let error = #expect(throws: LibraryError.self) { try resolved(MarkerDraft(voiceNote: "?")) }
        #expect(error?.code == .recordNameMalformed)
    }

    @Test(arguments: ["Loud", "a b", "-x", "ä"]) func `what is not a tag is refused`(_ tag: String) {
        let error = #expect(throws: LibraryError.self) { try TagArgument.check(["highlight", tag]) }
        #expect(error?.code == .tagMalformed)
    }
}
