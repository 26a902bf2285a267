import TraceCrypto
import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// The audio of voice notes as devices send it: whole, in parts, broken off anywhere, before or after its record.
struct AudioUploadTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    /// Bytes that begin as Ogg does, and are no audio otherwise.
    private static func sound(_ count: Int, _ seed: UInt64 = 1) -> Data {
        var random = SeededRandom(seed: seed)
        return Data("OggS".utf8)
            + Data((4..<max(4, count)).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private static func digest(_ data: Data) -> String {
        SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    private func record(_ id: String, _ sound: Data, _ type: String = "audio/ogg") throws -> WireAnswer {
        let attachment = #"{"size":\#(sound.count),"type":"\#(type)"}"#
        return try sample.ask(
            "PUT", ServedSample.voiceNotePath(id), json: ServedSample.voiceNote(attachment))
    }

    private func path(_ id: String) -> String { ServedSample.voiceNotePath(id) + "/audio" }

    private func put(
        _ id: String, _ sound: Data, _ fields: [(String, String)] = [], type: String = "audio/ogg"
    ) throws -> WireAnswer {
        try sample.send("PUT", path(id), type, sound, fields)
    }

    private func resume(_ id: String, at offset: Int, _ rest: Data, _ fields: [(String, String)] = []) throws
        -> WireAnswer
    {
        try sample.send(
            "PATCH", path(id), "application/partial-upload", rest,
            [("Upload-Offset", "\(offset)")] + fields)
    }

    /// How far an upload is, as `HEAD` says.
    private func offset(_ id: String) throws -> Int? {
        let head = try sample.connect().request(
            "HEAD", "/api/v1\(path(id))", [("Authorization", "Bearer \(sample.token)")])
        return head.status == 204 ? head["upload-offset"].flatMap { Int($0) } : nil
    }

    /// Whether it was written, or will be: the rest of an upload is not sent again while it waits.
    private func isTaken(_ answer: WireAnswer) -> Bool {
        answer.isWritten || answer.status == 202 && answer.isHeldUp
    }

    private func expectStands(
        _ id: String, _ sound: Data, _ ending: String = "ogg",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try soon("\(id) can be heard") { try sample.ask("GET", path(id)).status == 200 }
        let heard = try sample.ask("GET", path(id))
        #expect(heard.status == 200 && heard.body == sound, "\(heard.status)", sourceLocation: sourceLocation)
        let file = try sample.contents("media/\(id).\(ending)", of: ServedSample.lateSet)
        #expect(file == sound, sourceLocation: sourceLocation)
        let lines = String(
            decoding: try sample.contents("voice_notes.jsonl", of: ServedSample.lateSet), as: UTF8.self
        ).split(separator: "\n").filter { $0.contains(id) }
        #expect(lines.count == 1, "\(lines)", sourceLocation: sourceLocation)
    }

    // MARK: - Whose

    @Test func `nobody but who sent a record says what is heard under it`() throws {
        let id = number(1)
        let sound = Self.sound(5000)
        let other = Self.sound(5000, 2)
        let ann = try ["phone", "tablet"].map {
            try sample.newToken("--scope", "mark", "--person", "ann", "--name", $0)
        }
        let bob = try sample.newToken("--scope", "mark", "--person", "bob")
        let description = #"{"size":5000,"type":"audio/ogg"}"#
        let note = ServedSample.voiceNotePath(id)
        func send(_ token: String, _ sound: Data) throws -> WireAnswer {
            try sample.send("PUT", path(id), "audio/ogg", sound, token: token)
        }
        func record(_ token: String, _ attachment: String = description) throws -> WireAnswer {
            try sample.ask("PUT", note, token: token, json: ServedSample.voiceNote(attachment))
        }
        // Sent before the record, theirs waits for a record of theirs.
        #expect(try send(bob, other).status == 202)
        #expect(try record(ann[0]).status == 202)
        // Then whole, as a checksum, as an entry of the queue with audio that is kept there, and with the record once more.
        let refused = try send(bob, other)
        #expect(refused.status == 409 && refused.code == "conflict", "\(refused)")
        let claimed = try record(bob, #"{"size":5000,"type":"audio/ogg","sha256":"\#(Self.digest(other))"}"#)
        #expect(claimed.status == 409, "\(claimed)")
        let kept = sample.copy.directory.appending(path: "state/done")
        try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
        try other.write(to: kept.appending(path: "\(id).ogg"))
        let members = ["id", "kind", "session_id", "created_at", "payload"]
        var entry = try #require(try sample.ask("GET", "/queue/\(id)").rows.first).filter {
            members.contains($0.key)
        }
        entry["attachment"] =
            ["name": "\(id).ogg", "size": 5000, "sha256": Self.digest(other)] as [String: Any]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: entry), as: UTF8.self)
        #expect(try sample.ask("PUT", "/queue/\(id)", token: bob, json: json).status == 409)
        #expect(try record(bob).status == 409)
        #expect(try sample.ask("GET", note).status == 404)
        // Another device of the person may.
        #expect(try isTaken(send(ann[1], sound)))
        try expectStands(id, sound)
    }

    // MARK: - In whichever order

    @Test func `record and audio come in any order, each as often as it likes`() throws {
        let sound = Self.sound(5000)
        // The record first.
        #expect(try record(number(1), sound).status == 202)
        #expect(try sample.ask("GET", path(number(1))).status == 404)
        let written = try put(number(1), sound)
        #expect(isTaken(written), "\(written)")
        #expect((written.object["record"] as? [String: Any])?["id"] as? String == number(1))
        try expectStands(number(1), sound)
        #expect(try put(number(1), sound).status == 200)
        #expect(try record(number(1), sound).status == 200)

        // The audio first.
        let early = try put(number(2), sound)
        #expect(early.status == 202, "\(early)")
        #expect(early.object["reason"] as? String == "its record is missing")
        #expect(try put(number(2), sound).status == 202)
        #expect(try offset(number(2)) == 5000)
        try sample.restart()
        let late = try record(number(2), sound)
        #expect(isTaken(late), "\(late)")
        try expectStands(number(2), sound)
        #expect(try put(number(2), sound).status == 200)

        // A record that comes by the queue finds it, too.
        #expect(try put(number(3), sound).status == 202)
        let payload =
            #"{"id":"\#(number(3))","offset_ms":1000,"duration_ms":700,"created_at":"2026-02-05T10:00:00.000Z","media_path":"media/\#(number(3)).ogg"}"#
        let entry =
            #"{"id":"\#(number(3))","kind":"voice_note","session_id":"\#(ServedSample.lateSetID)","created_at":"2026-02-05T10:00:00.000Z","payload":\#(payload),"attachment":{"name":"\#(number(3)).ogg","size":5000,"sha256":"\#(Self.digest(sound))"}}"#
        let queued = try sample.send("POST", "/queue", "application/jsonl", Data(entry.utf8))
        #expect(queued.results == [queued.hasWaited ? "already-applied" : "applied"], "\(queued)")
        try expectStands(number(3), sound)
        try soon("the queue is empty") { try sample.ask("GET", "/queue").rows.isEmpty }
        try Binaries.trace(
            ["validate", sample.session(ServedSample.lateSet).path], in: sample.copy.directory)
    }

    @Test func `what stands, waits or was removed is compared with what comes`() throws {
        let (sound, other) = (Self.sound(100), Self.sound(100, 2))
        #expect(try record(number(1), sound).status == 202)
        let wrongLength = try put(number(1), Self.sound(99))
        #expect(wrongLength.status == 409, "\(wrongLength)")
        #expect(try isTaken(put(number(1), sound)))
        let differs = try put(number(1), other)
        #expect(differs.status == 409 && differs.code == "conflict", "\(differs)")
        try expectStands(number(1), sound)

        #expect(try put(number(2), sound).status == 202)
        #expect(try put(number(2), other).status == 409)
        let elsewhere = try sample.send(
            "PUT", ServedSample.voiceNotePath(number(2), in: ServedSample.activeID) + "/audio", "audio/ogg",
            sound)
        #expect(elsewhere.status == 409, "\(elsewhere)")
        #expect(try isTaken(record(number(2), sound)))
        try expectStands(number(2), sound)

        // What the user takes out does not come back.
        let file = sample.session(ServedSample.lateSet).appending(path: "voice_notes.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try (lines.filter { !$0.contains(number(2)) }.joined(separator: "\n") + "\n").write(
            to: file, atomically: true, encoding: .utf8)
        let gone = try put(number(2), sound)
        #expect(gone.status == 410, "\(gone)")
        #expect(try offset(number(2)) == nil)
        #expect(try record(number(2), sound).status == 410)
    }

    @Test func `the container is the one that the bytes have`() throws {
        let containers: [(String, String)] = [
            ("\0\0\0\u{18}ftypM4A ", "m4a"), ("OggS\0\u{2}\0\0\0\0\0\0", "ogg"),
            ("RIFF\u{24}\0\0\0WAVE", "wav"),
            ("fLaC\0\0\0\u{22}\u{10}\0\u{10}\0", "flac"), ("ID3\u{4}\0\0\0\0\0\0\0\0", "mp3"),
            ("\0\0\0\u{14}ftypqt  ", "mov"), ("\0\0\0\u{14}ftyp3g2a", "3gp"),
            ("\0\0\0\u{8}wide\0\0\0\u{8}", "mov"),
        ]
        for (index, (head, ending)) in containers.enumerated() {
            let (id, sound) = (number(10 + index), Data(head.utf8) + Data("rest".utf8))
            #expect(try record(id, sound, "audio/mp4").status == 202)
            #expect(try isTaken(put(id, sound, type: "audio/mp4")))
            try expectStands(id, sound, ending)
            // The record was sent as MP4, and may be once more.
            #expect(try record(id, sound, "audio/mp4").status == 200, "\(ending)")
        }
        let webm = Data([0x1A, 0x45, 0xDF, 0xA3]) + Data("webm rest".utf8)
        #expect(try put(number(20), webm, type: "audio/mp4").status == 202)
        #expect(try isTaken(record(number(20), webm, "audio/mp4")))
        try expectStands(number(20), webm, "webm")
    }

    @Test func `what telephones record is taken by its bytes, whatever a browser calls its type`() throws {
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/voice-notes").standardized
        let files: [(String, String, [String])] = [
            ("Recording.3gp", "3gp", ["audio/3gpp", "Audio/3GPP; bitrate=12200", "video/3gpp", "audio/mp4"]),
            ("IMG_0042.MOV", "mov", ["video/quicktime", "VIDEO/QuickTime", "application/octet-stream"]),
            ("memo.opus", "ogg", ["audio/opus", "audio/ogg; codecs=opus", "application/ogg", "audio/mp4"]),
        ]
        var index = 30
        for (name, ending, types) in files {
            let sound = try Data(contentsOf: directory.appending(path: name))
            for type in types {
                let id = number(index)
                #expect(try record(id, sound, type).status == 202, "\(name) as \(type)")
                #expect(try isTaken(put(id, sound, type: type)), "\(name) as \(type)")
                try expectStands(id, sound, ending)
                #expect(try record(id, sound, type).status == 200, "\(name) as \(type)")
                index += 1
            }
        }
        let refused = try record(number(index), Data("x".utf8), "audio/amr; x=1")
        #expect(refused.status == 422, "\(refused)")
        #expect(refused.object["detail"] as? String == "a voice note can't be of type 'audio/amr; x=1'")
        #expect(
            refused.object["hint"] as? String
                == "use a recording in MP4 (M4A), 3GP, QuickTime, WebM, Ogg, WAV, FLAC or MP3")
    }

    @Test(arguments: [
        ("<!DOCTYPE html><script>", 415), ("\u{7F}ELF and so on", 415), ("PK\u{3}\u{4} and so on", 415),
        ("Ogg", 415),
        ("", 422),
    ])
    func `what is no audio is not kept`(text: String, status: Int) throws {
        for isWaiting in [false, true] {
            let id = number(isWaiting ? 2 : 1)
            if isWaiting { #expect(try record(id, Data("12345".utf8)).status == 202) }
            let answer = try put(id, Data(text.utf8), type: "audio/mp4")
            #expect(answer.status == status, "\(answer)")
            #expect(try offset(id) == nil)
            #expect(try sample.ask("GET", path(id)).status == 404)
        }
    }

    // MARK: - Broken off

    /// Sends the head of an upload and some of its body, and ends the connection.
    private func breakOff(_ id: String, _ sound: Data, after count: Int, _ fields: [(String, String)] = [])
        throws
    {
        let client = try sample.connect()
        let all = [("Content-Type", "audio/ogg"), ("Content-Length", "\(sound.count)")] + fields
        try client.send(sample.bytes("PUT", path(id), all) + sound.prefix(count))
        client.finishSending()
        try? client.waitForClose()
    }

    @Test func `a container of a million parts is taken as fast as any other, byte for byte`() throws {
        // MP4 whose header says what it is, and then nothing but empty atoms.
        let header: [UInt8] = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]
        let atom: [UInt8] = [0, 0, 0, 8] + Array("free".utf8)
        var sound = Data(header)
        sound.reserveCapacity(header.count + 8_000_000)
        for _ in 0..<1_000_000 { sound.append(contentsOf: atom) }
        var other = sound
        other.replaceSubrange(16..<24, with: [0xFF, 0xFF, 0xFF, 0xFF] + Array("free".utf8))
        for (id, bytes) in [(number(1), sound), (number(2), other)] {
            let begin = ContinuousClock.now
            #expect(try put(id, bytes, type: "audio/mp4").status == 202)
            #expect(try isTaken(record(id, bytes, "audio/mp4")))
            try expectStands(id, bytes, "m4a")
            #expect(try sample.ask("GET", "/sessions/\(ServedSample.lateSetID)").status == 200)
            #expect(begin.duration(to: .now) < .seconds(30))
        }
    }

    @Test func `an upload that breaks off at any byte continues from there`() throws {
        let sound = Self.sound(48)
        let digest = ("Repr-Digest", "sha-256=:\(Data(SHA256.hash(data: sound)).base64EncodedString()):")
        for count in 0..<sound.count {
            let id = number(100 + count)
            if count % 2 == 0 { #expect(try record(id, sound).status == 202) }
            try breakOff(id, sound, after: count, [digest])
            try soon("what has come of \(count) is there") { try offset(id) == count }
            let wrong = try resume(id, at: count + 1, sound.dropFirst(count + 1))
            #expect(wrong.status == 409 && wrong["upload-offset"] == "\(count)", "\(count): \(wrong)")
            let answer = try resume(id, at: count, sound.dropFirst(count))
            #expect(count % 2 == 0 ? isTaken(answer) : answer.status == 202, "\(count): \(answer)")
            if count % 2 == 1 { #expect(try isTaken(record(id, sound))) }
            try expectStands(id, sound)
        }
    }

    @Test func `a long upload that breaks off in many places is whole in the end`() throws {
        let sound = Self.sound(3_000_000)
        var random = SeededRandom(seed: Torture.seed)
        let places = (0..<200).map { _ in Int.random(in: 1..<sound.count, using: &random) }.sorted()
        #expect(try record(number(1), sound).status == 202)
        try breakOff(number(1), sound, after: places[0])
        for (place, next) in zip(places, places.dropFirst() + [sound.count]) {
            try soon("what has come to \(place) is there") { try offset(number(1)) == place }
            guard next < sound.count else { break }
            let client = try sample.connect()
            let rest = sound[place...]
            try client.send(
                sample.bytes(
                    "PATCH", path(number(1)),
                    [
                        ("Content-Type", "application/partial-upload"), ("Content-Length", "\(rest.count)"),
                        ("Upload-Offset", "\(place)"),
                    ]) + rest.prefix(next - place))
            client.finishSending()
            try? client.waitForClose()
        }
        let last = places[places.count - 1]
        let answer = try resume(number(1), at: last, sound.dropFirst(last))
        #expect(isTaken(answer), "\(answer), seed \(Torture.seed)")
        try expectStands(number(1), sound)
    }

    @Test func `an upload may come in parts that say so, and can be given up`() throws {
        let sound = Self.sound(300)
        let first = try put(
            number(1), sound.prefix(100), [("Upload-Complete", "?0"), ("Upload-Length", "300")])
        #expect(first.status == 204 && first["upload-offset"] == "100", "\(first)")
        let second = try resume(number(1), at: 100, sound[100..<200], [("Upload-Complete", "?0")])
        #expect(second.status == 204 && second["upload-offset"] == "200", "\(second)")
        let tooLong = try resume(number(1), at: 200, sound[200...] + [1])
        #expect(tooLong.status == 413, "\(tooLong)")
        #expect(try resume(number(1), at: 200, sound[200...]).status == 202)
        #expect(try resume(number(1), at: 300, sound[..<0]).status == 409, "it is whole")
        #expect(try sample.ask("DELETE", path(number(1))).status == 204)
        #expect(try offset(number(1)) == nil)
        #expect(try resume(number(1), at: 0, sound).status == 404)
        for (name, value) in [("Upload-Offset", "x"), ("Upload-Offset", "-1"), ("Upload-Complete", "1")] {
            let answer = try sample.send(
                "PATCH", path(number(1)), "application/partial-upload", sound, [(name, value)])
            #expect(answer.status == 400, "\(name): \(value): \(answer)")
        }
    }

    @Test func `a digest that differs gives the upload up`() throws {
        let sound = Self.sound(300)
        let wrong = (
            "Repr-Digest", "sha-256=:\(Data(SHA256.hash(data: Data("other".utf8))).base64EncodedString()):"
        )
        #expect(try record(number(1), sound).status == 202)
        let answer = try put(number(1), sound, [wrong])
        #expect(answer.status == 422 && answer.code == "digest-differs", "\(answer)")
        #expect(try offset(number(1)) == nil)
        // Said at the beginning, it holds for what follows.
        try breakOff(number(1), sound, after: 100, [wrong])
        try soon("what has come is there") { try offset(number(1)) == 100 }
        #expect(try resume(number(1), at: 100, sound.dropFirst(100)).status == 422)
        #expect(try put(number(1), sound, [("Repr-Digest", "sha-256=:no:")]).status == 400)
        #expect(try isTaken(put(number(1), sound, [("Repr-Digest", "md5=:AAAA:")])))
    }

    @Test func `too much is refused before it is sent`() throws {
        try sample.restart(["TRACE_HTTP_UPLOAD_LIMIT": "1MiB"])
        let client = try sample.connect()
        try client.send(
            sample.bytes(
                "PUT", path(number(1)),
                [("Content-Type", "audio/ogg"), ("Content-Length", "1048577"), ("Expect", "100-continue")]))
        #expect(try client.head().status == 413)
        // Without a length, as soon as it is too much.
        let chunked = try sample.connect()
        try chunked.send(
            sample.bytes(
                "PUT", path(number(1)), [("Content-Type", "audio/ogg"), ("Transfer-Encoding", "chunked")]))
        let piece = Self.sound(1 << 16)
        for _ in 0..<17 where (try? chunked.send(Array("10000\r\n".utf8) + piece + Array("\r\n".utf8))) == nil
        { break }
        #expect(try chunked.head().status == 413)
        #expect(try sample.ask("GET", "/status").status == 200)
    }

    // MARK: - Several at once

    @Test func `two that send the same at once don't mix; one that stalls gives way`() throws {
        let sound = Self.sound(4000)
        #expect(try record(number(1), sound).status == 202)
        let first = try sample.connect()
        let fields = [("Content-Type", "audio/ogg"), ("Content-Length", "4000")]
        try first.send(sample.bytes("PUT", path(number(1)), fields) + sound.prefix(1000))
        try soon("the first has begun") { try offset(number(1)) == 1000 }
        let second = try put(number(1), Self.sound(4000, 2))
        #expect(second.status == 409 && second.code == "upload-in-progress", "\(second)")
        var answer = second
        try soon("the first has stalled") {
            answer = try put(number(1), sound)
            return answer.status != 409
        }
        #expect(isTaken(answer), "\(answer)")
        try first.waitForClose()
        try expectStands(number(1), sound)
    }

    @Test func `what the requests of a token bring at the same time counts together`() throws {
        let sound = Self.sound(60_000)
        let uploads = sample.copy.directory.appending(path: "state/uploads")
        func begin(_ id: String) throws -> (client: WireClient, directory: URL) {
            let client = try sample.connect()
            let fields = [("Content-Type", "audio/ogg"), ("Content-Length", "\(sound.count)")]
            try client.send(sample.bytes("PUT", path(id), fields))
            var found: String?
            try soon("\(id) has begun") {
                let names = FileManager.default.enumerator(atPath: uploads.path)?.allObjects as? [String]
                found = names?.first { $0.hasSuffix("/\(id).json") }
                return found != nil
            }
            return (client, uploads.appending(path: try #require(found)).deletingLastPathComponent())
        }
        let (first, directory) = try begin(number(1))
        // All but 100,000 bytes of what a token may have; it has no blocks.
        let rest = directory.appending(path: "\(number(3)).part").path
        try #require(FileManager.default.createFile(atPath: rest, contents: nil))
        try #require(truncate(rest, (512 << 20) - 100_000) == 0)
        let (second, _) = try begin(number(2))
        try first.send(sound)
        #expect(try first.answer().status == 202)
        try second.send(sound)
        let refused = try second.answer()
        #expect(refused.status == 507 && refused.code == "uploads-full", "\(refused)")
    }

    @Test func `a token that is revoked has its upload cut within a second, and the part stays`() throws {
        let token = try sample.newToken("--scope", "mark", "--name", "phone")
        let sound = Self.sound(4000)
        let client = try sample.connect()
        let text = sample.bytes(
            "PUT", path(number(1)), [("Content-Type", "audio/ogg"), ("Content-Length", "4000")])
        let head = String(decoding: text, as: UTF8.self).replacing(sample.token, with: token)
        try client.send(Array(head.utf8) + sound.prefix(1000))
        let uploads = sample.copy.directory.appending(path: "state/uploads")
        try soon("it has begun") {
            let names = FileManager.default.enumerator(atPath: uploads.path)?.allObjects as? [String] ?? []
            return try names.first { $0.hasSuffix(".part") }.map {
                try Data(contentsOf: uploads.appending(path: $0)).count == 1000
            } ?? false
        }
        try Binaries.trace(["token", "revoke", "phone"], in: sample.copy.directory)
        let start = ContinuousClock.now
        try? client.waitForClose()
        #expect(start.duration(to: .now) < .milliseconds(1500))
        let names = FileManager.default.enumerator(atPath: uploads.path)?.allObjects as? [String] ?? []
        #expect(names.contains { $0.hasSuffix(".part") })
        try Binaries.trace(
            ["validate", sample.session(ServedSample.lateSet).path], in: sample.copy.directory)
    }

    // MARK: - Copies

    @Test func `a player that needs one gets a copy, and what was recorded stays as it is`() throws {
        let directory = sample.copy.directory
        let file = directory.appending(path: "note.webm")
        let made = try Process.run(
            URL(filePath: "/usr/bin/ffmpeg"),
            arguments: [
                "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:duration=2", "-c:a", "libopus",
                file.path,
            ])
        made.waitUntilExit()
        let sound = try Data(contentsOf: file)
        #expect(try record(number(1), sound, "audio/webm").status == 202)
        #expect(try isTaken(put(number(1), sound, type: "audio/webm")))
        var answer = try sample.ask("GET", path(number(1)) + "?as=m4a")
        #expect(answer.status == 202 && answer["retry-after"] == "1", "\(answer)")
        try soon("the copy is made") {
            answer = try sample.ask("GET", path(number(1)) + "?as=m4a")
            return answer.status != 202
        }
        #expect(answer.status == 200 && answer["content-type"] == "audio/mp4", "\(answer.status)")
        #expect(answer.body.dropFirst(4).starts(with: Data("ftyp".utf8)))
        let range = try sample.ask("GET", path(number(1)) + "?as=m4a", [("Range", "bytes=4-7")])
        #expect(range.status == 206 && range.text == "ftyp")
        try expectStands(number(1), sound, "webm")

        // Of what is no sound, there is none.
        let noise = Self.sound(500)
        #expect(try record(number(2), noise).status == 202)
        #expect(try isTaken(put(number(2), noise)))
        try soon("that it can't be made is known") {
            answer = try sample.ask("GET", path(number(2)) + "?as=m4a")
            return answer.status != 202
        }
        #expect(answer.status == 404 && answer.code == "copy-unavailable", "\(answer)")
        #expect(try sample.ask("GET", path(number(2)) + "?as=ogg").status == 400)
        try Binaries.trace(["validate", sample.session(ServedSample.lateSet).path], in: directory)
    }
}
