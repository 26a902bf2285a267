import Foundation
import ProgramHarness
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFormat
import TraceStore

/// A session with a marker and a voice note, and a spool in which two markers and a voice note with its audio
/// wait.
struct Scene {
    let scratch: Scratch

    var session: String { "\(scratch.sessions)/set" }
    var memo: String { "\(scratch.path)/memo.m4a" }
    /// A digest that somebody has written.
    var text: String { "\(scratch.path)/mine.md" }
    /// Gives a file that text.
    var editor: String { "\(scratch.path)/editor" }
    /// Labels of another program, and a file that has them.
    static let labels = (1...8).map { "label \($0)" }
    var labels: String { "\(scratch.path)/labels.txt" }
    static let digest = "# A good night\n\nThe drop came late.\n"

    /// The audio of every voice note here.
    static let sound = {
        var dice = SeededRandom(seed: 7)
        return Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &dice) })
    }()

    /// What waits in the spool.
    static let waiting = [number(21), number(22), number(23)]

    /// - Parameter operation: What is to be done in it; nil for the usual scene.
    init(for operation: Operation? = nil) throws {
        scratch = try Scratch()
        try scratch.session("set", markers: marker(10, at: 1000))
        try Self.sound.write(to: URL(filePath: memo))
        try scratch.write(Self.digest, to: "mine.md")
        try scratch.writeProgram("#!/bin/sh\ncat '\(text)' > \"$1\"\n", to: "editor")
        try scratch.write(Self.labels.map { "4.5\t4.5\t\($0)\n" }.joined(), to: "labels.txt")
        try fillSpool()
        try operation?.prepare(self)
        try scratch.makeDirectory("template")
        for name in ["sessions", "state"] {
            try FileManager.default.copyItem(
                atPath: "\(scratch.path)/\(name)", toPath: "\(scratch.path)/template/\(name)")
        }
        // A program that looks at the recording opens some hundred files of its own, in an order of its own.
        if operation == .mediaAdd { scratch.environment["PATH"] = "/nonexistent" }
    }

    /// Makes everything anew, as it was at first.
    func restore() throws {
        for name in ["sessions", "state", "run"] where scratch.exists(name) { try scratch.remove(name) }
        for name in ["sessions", "state"] {
            try FileManager.default.copyItem(
                atPath: "\(scratch.path)/template/\(name)", toPath: "\(scratch.path)/\(name)")
        }
    }

    /// Takes the session away, as a disk that is unplugged.
    func takeAway() throws {
        try FileManager.default.moveItem(atPath: session, toPath: "\(scratch.state)/away")
    }

    /// Brings the session back, if it was taken away.
    func bringBack() throws {
        guard scratch.exists("state/away") else { return }
        try FileManager.default.moveItem(atPath: "\(scratch.state)/away", toPath: session)
    }

    private func fillSpool() throws {
        let spool = QueueDirectories(state: FilePath(scratch.state)).local
        let time = try #require(Timestamp("2026-02-04T20:03:00.000Z"))
        let set = try #require(ULID(number(1)))
        for (index, text) in Self.waiting.enumerated() {
            let id = try #require(ULID(text))
            if index == 1 {
                let name = "\(id).m4a"
                let note = VoiceNote(
                    id: id, createdAt: time, mediaPath: "media/\(name)",
                    offset: SessionOffset(milliseconds: 2000),
                    duration: SessionOffset(milliseconds: 800))
                try spool.add(
                    SpoolEntry(
                        id: id, kind: .voiceNote, journalID: set, createdAt: time, payload: note.json,
                        attachment: try Spool.attachment(for: FilePath(memo), named: name)),
                    attachment: FilePath(memo))
            } else {
                let marker = Marker(
                    id: id, offset: SessionOffset(milliseconds: Int64(3000 + index)), createdAt: time)
                try spool.add(
                    SpoolEntry(id: id, kind: .marker, journalID: set, createdAt: time, payload: marker.json))
            }
        }
    }

    // MARK: - What must hold

    /// What `trace` may leave in a session directory.
    static let names: Set = [
        "session.json", "timeline.jsonl", "markers.jsonl", "voice_notes.jsonl", "transcript.jsonl",
        "actions.jsonl",
        "digest.md", "media",
    ]

    /// Checks what must hold at any time between two operations: every line whole, nothing of ours left, no
    /// audio but whole.
    func checkSession(_ what: String) throws {
        let outcome = try scratch.trace("validate", session)
        #expect(outcome == Outcome("ok: <scratch>/sessions/set\n"), "\(what)")
        #expect(try Set(scratch.names(in: "sessions/set")).subtracting(Self.names) == [], "\(what)")
        for name in try scratch.names(in: "sessions/set/media") {
            let bytes = try Data(contentsOf: URL(filePath: "\(session)/media/\(name)"))
            #expect(bytes == Self.sound, "\(what): media/\(name)")
        }
        #expect(try lines("markers.jsonl").first == marker(10, at: 1000).dropLast(), "\(what)")
        let digest =
            scratch.exists("sessions/set/digest.md") ? try scratch.text("sessions/set/digest.md") : nil
        #expect(digest == nil || digest == Self.digest, "\(what)")
    }

    /// Checks that what waited stands once, and nowhere else.
    func checkDrained(_ what: String) throws {
        let lines = try lines("markers.jsonl") + self.lines("voice_notes.jsonl")
        for id in Self.waiting {
            #expect(lines.count { $0.contains("\"id\":\"\(id)\"") } == 1, "\(what): \(id)")
        }
        // Audio without its entry is what a kill leaves of one that was never said to be queued.
        #expect(try scratch.names(in: "state/queue").filter { !$0.hasSuffix(".m4a") } == [], "\(what)")
        #expect(scratch.exists("sessions/set/media/\(Self.waiting[1]).m4a"), "\(what)")
    }

    /// Checks that what waits is still in the spool, or has gone because its record is durable in the
    /// session.
    func checkNothingLost(_ what: String) throws {
        let lines = try lines("markers.jsonl") + self.lines("voice_notes.jsonl")
        for id in Self.waiting {
            let count = lines.count { $0.contains("\"id\":\"\(id)\"") }
            #expect(count <= 1, "\(what): \(id)")
            if count == 0 {
                // What was applied and has vanished lies in `done/`, from where it can be put back.
                let places = ["state/queue", "state/done"]
                #expect(places.contains { scratch.exists("\($0)/\(id).json") }, "\(what): \(id)")
                if id == Self.waiting[1] {
                    #expect(places.contains { scratch.exists("\($0)/\(id).m4a") }, "\(what)")
                }
            }
        }
    }

    /// The records in a file of the session, as they stand there; none if it is missing. A torn line is none.
    func lines(_ file: String) throws -> [Substring] {
        guard scratch.exists("sessions/set/\(file)") else { return [] }
        return try scratch.text("sessions/set/\(file)", filled: false).split(separator: "\n").filter {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8))) is [String: Any]
        }
    }

    /// The lines of `session.json`.
    func header() throws -> [Substring] {
        try scratch.text("sessions/set/session.json", filled: false).split(separator: "\n")
    }

    /// Everything in session and state directory, with placeholders for what is another each time; without the journal of
    /// `trace undo`, which a kill may cost its last line, and the copies that a killed `digest edit` leaves to the person.
    func state() throws -> [String: String] {
        var state: [String: String] = [:]
        for root in ["sessions", "state"] {
            for (name, bytes) in try scratch.tree(root)
            where !["undo", "edit"].contains(name.prefix { $0 != "/" }) {
                let isText = [".json", ".jsonl", ".md"].contains { name.hasSuffix($0) }
                state["\(root)/\(name)"] =
                    isText
                    ? try scratch.text("\(root)/\(name)").replacing(
                        #/"(duration_ms|offset_ms)": ?\d{9,}/#, with: { "\"\($0.output.1)\":<length>" })
                    : "\(bytes.count) bytes, \(bytes.hashValue)"
            }
        }
        return state
    }
}
