import Foundation
import ProgramHarness
import Testing

/// An operation of `trace` that is tortured.
enum Operation: String, CaseIterable, CustomTestStringConvertible {
    case mark
    case voiceNote = "voice-note"
    case close = "session close"
    case digestWrite = "digest write"
    case digestEdit = "digest edit"
    case mediaAdd = "media add"
    case transcribe
    case edit = "marker edit"
    case undo
    case importing = "import"
    case queueAdd = "queue add"
    /// A voice note for a session that is not here, which waits in the queue with its audio.
    case fallback = "voice-note, queued"
    case flush = "queue flush"
    case retry = "queue retry"
    case tokenAdd = "token add"

    var testDescription: String { rawValue }

    /// Its command line.
    func arguments(in scene: Scene) -> [String] {
        let session = scene.session
        return switch self {
        case .mark: ["mark", session, "--offset", "5000", "--label", "Drop"]
        case .voiceNote:
            [
                "voice-note", session, "--offset", "6000", "--duration", "800", "--media-file", scene.memo,
                "--marker-id", number(10),
            ]
        case .close: ["session", "close", session]
        case .digestWrite: ["digest", "write", session, "--file", scene.text]
        case .digestEdit: ["digest", "edit", session, "--editor", scene.editor]
        case .mediaAdd:
            [
                "media", "add", session, "--file", scene.memo, "--kind", "audio", "--mime", "audio/mp4",
                "--offset", "1000", "--duration", "800",
            ]
        case .transcribe:
            ["transcribe", session, "--text", "slower", "--offset", "1500", "--duration", "100"]
        case .edit: ["marker", "edit", session, number(10), "--label", "Edited"]
        case .undo: ["undo"]
        case .importing: ["import", scene.labels, session, "--yes"]
        case .queueAdd: ["queue", "add", "marker", "--session", number(1), "--offset", "7000"]
        case .fallback:
            ["voice-note", number(1), "--offset", "9000", "--duration", "800", "--media-file", scene.memo]
        case .flush: ["queue", "flush"]
        case .retry: ["queue", "retry", Scene.waiting[0]]
        case .tokenAdd: ["token", "add", "--name", "phone", "--scope", "mark"]
        }
    }

    /// Makes of the usual scene the one that the operation needs.
    func prepare(_ scene: Scene) throws {
        switch self {
        case .undo:
            let outcome = try scene.scratch.trace(
                "mark", scene.session, "--offset", "5000", "--label", "Drop")
            #expect(outcome.status == 0, "\(outcome)")
        case .transcribe:
            let outcome = try scene.scratch.trace(Operation.mediaAdd.arguments(in: scene))
            #expect(outcome.status == 0, "\(outcome)")
        case .fallback: try scene.takeAway()
        case .retry:
            // Everything is applied; then an older copy of the markers is synced over the file.
            let outcome = try scene.scratch.trace("queue", "flush")
            #expect(outcome.status == 0, "\(outcome)")
            try scene.scratch.write(marker(10, at: 1000), to: "sessions/set/markers.jsonl")
            for id in [Scene.waiting[2]] {
                let outcome = try scene.scratch.trace("queue", "retry", id)
                #expect(outcome.status == 0, "\(outcome)")
            }
        default: return
        }
    }

    /// What a person, or the next run, does after a kill or an error.
    ///
    /// A drain and a close are repeated, and end as if nothing had been; a marker or a voice note is another
    /// one when it is given again, so something else is done in the session instead.
    func carryOn(in scene: Scene) throws {
        switch self {
        case .flush:
            let outcome = try scene.scratch.trace("queue", "flush")
            #expect(outcome.status == 0, "\(outcome)")
        case .close:
            let outcome = try scene.scratch.trace("session", "close", scene.session)
            #expect(outcome.status == 0 || outcome.errors.contains("already closed"), "\(outcome)")
        case .digestWrite, .digestEdit, .transcribe, .edit, .retry:
            let outcome = try scene.scratch.trace(arguments(in: scene))
            #expect(outcome.status == 0, "\(outcome)")
        case .importing:
            let outcome = try scene.scratch.trace(arguments(in: scene))
            #expect(outcome.status == 0, "\(outcome)")
            // The same again has added what was missing, and nothing twice.
            for label in Scene.labels {
                let count = try scene.lines("markers.jsonl").count { $0.contains("\"label\":\"\(label)\"") }
                #expect(count == 1, "\(label) stands \(count) times")
            }
        case .undo:
            let outcome = try scene.scratch.trace("undo")
            #expect(outcome.status == 0 || outcome.errors.contains("nothing to undo"), "\(outcome)")
        case .tokenAdd:
            let outcome = try scene.scratch.trace("token", "add", "--name", "after", "--scope", "read")
            #expect(outcome.status == 0, "\(outcome)")
            try scene.scratch.checkTokens()
        case .mark, .voiceNote, .mediaAdd, .queueAdd, .fallback:
            try scene.bringBack()
            let mark = try scene.scratch.trace("mark", scene.session, "--offset", "8000", "--label", "after")
            #expect(mark.status == 0, "\(mark)")
            #expect(!mark.errors.contains("queued"), "\(mark)")
            let flush = try scene.scratch.trace("queue", "flush")
            #expect(flush.status == 0, "\(flush)")
        }
    }

    /// Whether it starts another program, which is not tortured with it.
    var startsProgram: Bool { [.digestEdit, .voiceNote, .fallback].contains(self) }

    /// Whether what is left after ``carryOn(in:)`` is always the same.
    var isRepeatable: Bool {
        switch self {
        case .flush, .retry, .close, .digestWrite, .digestEdit, .transcribe, .edit, .undo: true
        // Only the ids are others.
        case .importing, .mark, .voiceNote, .mediaAdd, .queueAdd, .fallback, .tokenAdd: false
        }
    }

    /// Whether the queue is empty after ``carryOn(in:)``.
    var drains: Bool {
        switch self {
        case .close, .digestWrite, .digestEdit, .transcribe, .edit, .undo, .importing, .tokenAdd: false
        case .mark, .voiceNote, .mediaAdd, .queueAdd, .fallback, .flush, .retry: true
        }
    }

    /// Checks what must hold after a failure, and that the work can be taken up again.
    ///
    /// - Parameter isHeard: Whether what it said has arrived whole.
    func check(_ outcome: Outcome, in scene: Scene, _ fault: String, isHeard: Bool = true) throws {
        let what = "\(self), \(fault)\n\(outcome)"
        let isTold = outcome.errors.split(separator: "\n").contains { $0.hasPrefix("error: ") }
        if isHeard { #expect((outcome.status != 0) == isTold, "\(what)") }
        #expect(outcome.status < 128, "\(what)")
        try scene.checkNothingLost(what)
        try carryOn(in: scene)
        try scene.checkSession(what)
        if drains { try scene.checkDrained(what) }
        try checkSaid(outcome, in: scene, what)
    }

    /// Checks that what the operation said is so, after the queue has been drained: a record that it promised
    /// stands once, in the session.
    func checkSaid(_ outcome: Outcome, in scene: Scene, _ what: String) throws {
        let words: String
        switch self {
        case .mark: words = "\"label\":\"Drop\""
        case .voiceNote: words = "\"offset_ms\":6000"
        case .queueAdd: words = "\"offset_ms\":7000"
        case .fallback: words = "\"offset_ms\":9000"
        case .undo:
            // Taken back, or still there and whole.
            return #expect(try scene.lines("markers.jsonl").count { $0.contains("\"Drop\"") } == 0, "\(what)")
        case .mediaAdd: words = "\"start_offset_ms\": 1000"
        case .tokenAdd:
            let count = try scene.scratch.tokens().count { $0 == "phone" }
            return #expect(count == 1 || (count == 0 && outcome.status != 0), "\(what): \(count) tokens")
        case .close, .digestWrite, .digestEdit, .transcribe, .edit, .flush, .retry, .importing: return
        }
        let lines =
            try ["markers.jsonl", "voice_notes.jsonl"].flatMap { try scene.lines($0) } + scene.header()
        let count = lines.count { $0.contains(words) }
        #expect(count == 1 || (count == 0 && outcome.status != 0), "\(what): stands \(count) times")
    }
}
