import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import TraceFiles
import TraceIndex

@testable import TraceLibrary

/// Sessions below a root, and the index of them.
struct QuestionScene {
    let scratch: ScratchDirectory
    let library: JournalLibrary
    let root: FilePath

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        let state = scratch("state")
        library = JournalLibrary(
            roots: SessionRoots([root]), stateDirectory: state, database: state.appending("index.sqlite"),
            temporaryDirectory: scratch.path, settleTime: .zero
        ) { _ in }
    }

    /// Makes a session that starts at a minute after eight; its markers are at these offsets, with ids from the first on.
    @discardableResult
    func add(
        _ name: FilePath.Component, minute: Int = 0, markers: [Int] = [], from first: Int = 100,
        more: String = ""
    ) throws -> SampleSession {
        let time = "20:\(minute < 10 ? "0" : "")\(minute):00"
        let header = SampleSession.header.replacing(
            #""start_time": "2026-02-04T20:00:00.000Z""#, with: #""start_time": "2026-02-04T\#(time).000Z""#
        ).replacing(#""title": "Late set""#, with: #""title": "\#(name.string)""#)
        let session = try SampleSession(at: root.appending(name), header: header)
        let lines = markers.enumerated().map { Self.line(first + $0, at: $1, more: more) }
        try session("markers.jsonl").write(lines.map { "\($0)\n" }.joined())
        return session
    }

    static func line(_ id: Int, at offset: Int, more: String = "") -> String {
        """
        {"id":"\(number(id))","offset_ms":\(offset),"created_at":"2026-02-04T20:00:00.000Z","source":"user"\(more)}
        """
    }

    /// Adds a line to the markers of a session.
    static func append(_ line: String, to session: SampleSession) throws {
        let file = session("markers.jsonl")
        try file.write(file.text() + line + "\n")
    }

    /// What an index that is up to date answers.
    func ask<Answer>(
        _ session: FilePath? = nil, _ body: (JournalIndex, RecordFilter.Scope) throws -> Answer
    ) throws -> Answer {
        let fresh = FreshIndex(library, session: session)
        return try fresh.answer { try body($0, fresh.scope) }
    }

    /// As one who may not know the places of the machine gets answers.
    static let remote = AnswerForm(showsPaths: false) { path, _ in "~\(path.lastComponent?.string ?? "")" }
}

/// A JSON text, to be compared and shown.
func shown(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }
