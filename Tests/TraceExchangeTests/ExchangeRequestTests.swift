import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceExchange

/// Exports and imports as they are asked for, without a command line.
struct ExchangeRequestTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(
            at: scratch("a"),
            header: SampleSession.header.replacing(
                #""media": []"#,
                with: """
                    "media": [{"id":"\(number(20))","kind":"audio","path":"media/set.m4a","mime":"audio/mp4",\
                    "created_at":"2026-02-04T20:00:00.000Z","start_offset_ms":10000,"duration_ms":60000}]
                    """))
        try session("markers.jsonl").write(
            """
            {"id":"\(number(10))","offset_ms":5000,"created_at":"2026-02-04T20:00:05.000Z","source":"user","label":"a"}
            {"id":"\(number(11))","offset_ms":30000,"created_at":"2026-02-04T20:00:30.000Z","source":"user","label":"b","tags":["x"]}

            """)
    }

    private func exported(_ request: ExportRequest) throws -> (text: String, notices: [String], json: String)
    {
        let reader = try SessionReader(session.path)
        let file = try request.markers(of: reader, reader.readableHeader().session, named: "a")
        var bytes: [UInt8] = []
        let notices = try file.write { bytes += $0 }
        return (
            String(decoding: bytes, as: UTF8.self), notices,
            String(decoding: file.json(file: nil).bytes, as: UTF8.self)
        )
    }

    @Test func `what is outside a recording is left out, and told`() throws {
        let whole = try exported(ExportRequest(.audacity))
        #expect(whole.text == "5.000000\t5.000000\ta\n30.000000\t30.000000\tb\n" && whole.notices.isEmpty)
        let item = try session.session.mediaItem("set.m4a")
        let cut = try exported(ExportRequest(.audacity, lead: "1s", media: item))
        #expect(cut.text == "19.000000\t19.000000\tb\n")
        #expect(cut.notices == ["1 marker outside the recording is left out"])
        #expect(
            cut.json
                == #"{"format":"audacity","marker_count":1,"left_out":1,"session_id":"\#(SampleSession.id)","media_id":"\#(number(20))"}"#
        )
    }

    @Test
    func `the last chapter of a recording that does not say how long it is lasts until the session ends`()
        throws
    {
        var item = try session.session.mediaItem("set.m4a")
        item.duration = nil
        let reader = try SessionReader(session.path)
        func end(_ duration: SessionOffset?) throws -> String? {
            var header = try reader.readableHeader().session
            header.duration = duration
            var text: [UInt8] = []
            for format in [ExchangeFormat.ffmetadata, .webvtt] {
                _ = try ExportRequest(format, media: item).markers(of: reader, header, named: "a").write {
                    text += $0
                }
            }
            return String(decoding: text, as: UTF8.self)
        }
        // It begins 10 s after the session, so that this is 110 s of it.
        let known = try end(SessionOffset(milliseconds: 120_000))
        #expect(known?.contains("START=20000\nEND=110000\n") == true, "\(known ?? "")")
        #expect(known?.contains("\n00:00:20.000 --> 00:01:50.000\n") == true, "\(known ?? "")")
        let unknown = try end(nil)
        #expect(unknown?.contains("START=20000\nEND=21000\n") == true, "\(unknown ?? "")")
    }

    @Test(arguments: [
        (ExportRequest(.csv, frameRate: "25"), ExchangeError.Code.frameRateUnused),
        (ExportRequest(.edl, frameRate: "x"), .frameRateMalformed),
    ])
    func `a frame rate that has no meaning is refused`(
        _ request: ExportRequest, _ code: ExchangeError.Code
    ) {
        let error = #expect(throws: ExchangeError.self) { try exported(request) }
        #expect(error?.code == code)
    }

    @Test func `a recording is found by each of its names`() throws {
        let names = ["review", "set.m4a", "media/set.m4a", "\(number(20))", "\(number(20))".lowercased()]
        for name in names { #expect(try session.session.mediaItem(name).id == number(20), "\(name)") }
        let error = #expect(throws: ExchangeError.self) { try session.session.mediaItem("nothing") }
        #expect(error?.code == .mediaNotFound)
    }

    private func read(_ text: String, _ request: ImportRequest = ImportRequest()) throws
        -> ImportRequest.Reading
    {
        try request.read(
            ImportSource(Array(text.utf8), file: "labels.txt"), extension: "txt", for: session.session)
    }

    @Test func `an import says what would be added, and is repeated without effect`() throws {
        let request = ImportRequest(media: "set.m4a", tags: ["y"])
        let reading = try read("1.000000\t1.000000\tc\n20.000000\t20.000000\tb\n", request)
        #expect(reading.format == .audacity && reading.problems.isEmpty)
        let plan = try reading.markers.plan(in: SessionReader(session.path))
        #expect(plan.count(.added) == 1 && plan.count(.alreadyThere) == 1)
        let json = String(
            decoding: plan.json(reading, isDone: false) { $0.member("session", JSONText("s")) }.bytes,
            as: UTF8.self)
        #expect(
            json.hasPrefix(
                #"{"session":"s","format":"audacity","done":false,"added":1,"already_there":1,"differing":0,"notices":[],"markers":[{"result":"added","offset_ms":11000,"label":"c","tags":["y"],"file":"labels.txt","line":1,"byte_offset":0}"#
            ), "\(json)")
    }

    @Test func `a client gets the notices of an import, with hints for it`() throws {
        let reading = try read("-1\t-1\tc\n2\t2\td\n\\\t100\t200\n")
        let plan = try reading.markers.plan(in: SessionReader(session.path))
        func json(_ hint: (Cure) -> String?) -> String {
            String(decoding: plan.json(reading, isDone: false, hint: hint) { _ in }.bytes, as: UTF8.self)
        }
        let notTaken =
            #"{"about":"text","count":1,"names":["100 to 200 Hz"],"message":"not taken: 1 text ('100 to 200 Hz')"}"#
        let early =
            #"{"about":"marker","count":1,"message":"the marker is before the start of the session; the marker is left out","hint":"give the recording from which the times count with NAME, or correct them","line":1,"byte_offset":0}"#
        #expect(
            json(\.text).contains(
                "\"notices\":[\(early.replacing("NAME", with: "--media")),\(notTaken)],"))
        #expect(
            json { $0.text(overHTTPWith: ["media"]) }.contains(
                "\"notices\":[\(early.replacing("NAME", with: "'media'")),\(notTaken)],"))
    }

    @Test func `a marker that is too late to count from the session's start is not said to be before it`()
        throws
    {
        let text = "offset_ms,label\n9223372036854775807,c\n1000,d\n"
        let reading = try read(text, ImportRequest(format: .csv, media: "set.m4a"))
        #expect(
            reading.notices.map(\.text) == [
                "labels.txt:2 (byte 16): the marker is later than any session can last; the marker is left out\n  hint: correct its time"
            ])
        #expect(try reading.markers.plan(in: SessionReader(session.path)).items.map(\.marker.label) == ["d"])
    }

    @Test func `what can't be in the session is a problem at its place`() throws {
        let early = try read(
            "-1.000000\t-1.000000\tc\n0.000000\tx\td\nx\n", ImportRequest(isStrict: true))
        #expect(early.problems.map(\.place.line) == early.problems.map(\.place.line).sorted())
        #expect(!early.problems.isEmpty)
        let unknown = #expect(throws: ExchangeError.self) { try read("what\n") }
        #expect(unknown?.code == .formatUnknown)
    }
}
