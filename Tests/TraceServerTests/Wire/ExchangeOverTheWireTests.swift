import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Entries by the batch, the phone app's arrays, digests, and files of other programs.
struct ExchangeOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    @Test func `a batch has an outcome a line, in its order, and sent twice adds nothing`() throws {
        let lines = [
            FilledRoutes.entry(number(1), for: ServedSample.lateSetID),
            FilledRoutes.entry(number(2), for: number(50)),
            #"{"id":"\#(number(3))","kind":"marker"}"#, "nonsense", "",
            FilledRoutes.entry(number(4), for: ServedSample.activeID),
            FilledRoutes.entry(number(1), for: ServedSample.lateSetID, "another"),
        ]
        let body = Data(lines.joined(separator: "\n").utf8)
        for (turn, applied) in ["applied", "already-applied"].enumerated() {
            let answer = try sample.send("POST", "/queue", "application/jsonl", body)
            #expect(answer.status == 200, "\(answer)")
            let outcomes = answer.outcomes
            let results = answer.results.map { answer.hasWaited && $0 == "already-applied" ? applied : $0 }
            #expect(
                results == [applied, "waiting", "rejected", "rejected", applied, "conflict"],
                "\(turn): \(answer)")
            #expect(outcomes.count == 6)
            #expect(outcomes.prefix(2).compactMap { $0["id"] as? String } == [number(1), number(2)])
        }
        for name in [ServedSample.lateSet, ServedSample.active] {
            let text = String(decoding: try sample.contents("markers.jsonl", of: name), as: UTF8.self)
            let id = name == ServedSample.active ? number(4) : number(1)
            #expect(text.split(separator: "\n").count { $0.contains(id) } == 1)
        }
        #expect(try sample.ask("GET", "/queue").rows.compactMap { $0["id"] as? String } == [number(2)])
        let many = Data(
            (0..<201).map { FilledRoutes.entry(number(1000 + $0), for: number(50)) }.joined(separator: "\n")
                .utf8)
        #expect(try sample.send("POST", "/queue", "application/jsonl", many).status == 413)
        #expect(try sample.ask("POST", "/queue", json: "{}").status == 415)
        #expect(try sample.ask("GET", "/queue").rows.count == 1)

        let differs = try sample.ask(
            "PUT", "/queue/\(number(5))", json: FilledRoutes.entry(number(6), for: ServedSample.lateSetID))
        #expect(differs.status == 400 && differs.code == "id-differs", "\(differs)")

        let single = try sample.ask("GET", "/queue/\(number(2))")
        #expect(single.rows.first?["state"] as? String == "waiting", "\(single)")
        #expect(try sample.ask("POST", "/queue/\(number(2))/drop").status == 200)
        let again = FilledRoutes.entry(number(2), for: ServedSample.lateSetID)
        let dropped = try sample.ask("PUT", "/queue/\(number(2))", json: again)
        #expect([409, 410].contains(dropped.status) || dropped.isWritten, "\(dropped)")
    }

    @Test func `the transcript as captions is what a player reads`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)/transcript"
        let answer = try sample.ask("GET", path, [("Accept", "text/vtt")])
        #expect(answer.status == 200 && answer["content-type"] == "text/vtt; charset=utf-8", "\(answer)")
        let rows = try sample.ask("GET", path).rows
        try #require(!rows.isEmpty)
        #expect(
            answer.text.hasPrefix(
                "WEBVTT\n\n01KGPFAPAZNHY8E60A2RRNTTNZ\n00:00:04.200 --> 00:00:08.355\n<v Mara>Good evening."))
        let file = sample.copy.directory.appending(path: "transcript.vtt")
        try Data(answer.text.utf8).write(to: file)
        let read = try Scratch().run(
            "/usr/bin/ffprobe",
            ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", file.path])
        #expect(read.output.split(separator: "\n").count == rows.count, "\(read)")
        let part = try sample.ask(
            "GET", "\(path)?offset_min=11800&offset_max=11800", [("Accept", "text/vtt")])
        #expect(part.text.split(separator: "\n").count { $0.contains(" --> ") } == 1, "\(part)")
        #expect(try sample.ask("GET", path, [("Accept", "text/html")]).status == 406)
        let markers = "/sessions/\(ServedSample.lateSetID)/markers"
        #expect(try sample.ask("GET", markers, [("Accept", "text/vtt")]).status == 406)
    }

    @Test func `the phone app's arrays are taken as they are, once`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)/phone-import"
        let items = [
            #"{"tag":"highlight","offset_ms":1000,"created_at":"2026-02-05T10:00:00.000Z"}"#,
            #"{"tag":"texture_sample","offset_ms":2000,"created_at":"2026-02-05T10:00:01.000Z"}"#,
        ]
        let json = "[\(items.joined(separator: ","))]"
        let first = try sample.ask("POST", path, json: json)
        #expect(first.status == 200, "\(first)")
        let ids = first.rows.compactMap { $0["id"] as? String }
        #expect(ids.count == 2)
        let lines = { try sample.contents("markers.jsonl", of: ServedSample.lateSet) }
        try soon("they are written") { String(decoding: try lines(), as: UTF8.self).contains(ids[1]) }
        let written = try lines()
        let again = try sample.ask("POST", path, json: json)
        #expect(again.rows.compactMap { $0["id"] as? String } == ids)
        #expect(again.rows.allSatisfy { $0["result"] as? String == "already-applied" }, "\(again)")
        // All or nothing: the first of these is a good one.
        let broken =
            #"[{"tag":"highlight","offset_ms":3000,"created_at":"2026-02-05T10:00:02.000Z"},{"tag":"x"}]"#
        let refused = try sample.ask("POST", path, json: broken)
        #expect(refused.status == 422, "\(refused)")
        #expect(try lines() == written)
        #expect(try sample.ask("GET", "/queue").rows.isEmpty)
    }

    @Test func `an import says what it does not take, and asks what could be two things`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)/import"
        func send(_ text: String, _ query: String) throws -> WireAnswer {
            try sample.send("POST", "\(path)?dry_run=true\(query)", "text/csv", Data(text.utf8))
        }
        let columns = try send("offset_ms,label,colour\n1000,x,red\nsoon,y,\n", "&format=csv")
        #expect(columns.status == 200, "\(columns)")
        let notices = columns.object["notices"] as? [[String: Any]] ?? []
        #expect(notices.compactMap { $0["about"] as? String } == ["marker", "column"])
        #expect(notices.last?["names"] as? [String] == ["colour"])
        let strict = try send("offset_ms,label,colour\n1000,x,red\nsoon,y,\n", "&format=csv&strict=true")
        #expect(strict.status == 422 && strict.code == "import-refused", "\(strict)")
        let asked = try send("time,label\n12,x\n", "&format=csv")
        #expect(asked.status == 422, "\(asked)")
        #expect((asked.object["hint"] as? String)?.contains("'unit' s") == true, "\(asked)")
        #expect(try send("time,label\n12,x\n", "&format=csv&unit=s").status == 200)
        let start = try send("1\t1\tx\n", "&format=audacity&start=0")
        #expect(start.status == 400 && start.code == "option-unused", "\(start)")
    }

    @Test func `a digest has three forms, and is replaced only by who has read it`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)/digest"
        func get(_ type: String) throws -> WireAnswer { try sample.ask("GET", path, [("Accept", type)]) }
        let json = try get("application/json")
        #expect(json["content-type"] == "application/json")
        #expect(json.object["session_id"] as? String == ServedSample.lateSetID)
        #expect(try get("*/*")["content-type"] == "application/json")
        let words = try get("text/markdown")
        #expect(words["content-type"] == "text/markdown; charset=utf-8")
        #expect(words.body == (try sample.contents("digest.md", of: ServedSample.lateSet)))
        let rendered = try sample.ask("GET", "\(path)?rendered=true", [("Accept", "text/markdown")])
        #expect(rendered.status == 200 && rendered.body != words.body)
        let page = try get("text/html")
        #expect(page["content-type"] == "text/html; charset=utf-8")
        #expect(page["content-security-policy"]?.contains("sandbox") == true)
        #expect(page["content-security-policy"]?.contains("default-src 'none'") == true)
        #expect(page["content-security-policy"]?.contains("script-src") == false)
        let none = try get("image/png")
        #expect(none.status == 406)
        #expect((none.object["hint"] as? String)?.contains("text/markdown") == true)

        func put(_ text: String, _ fields: [(String, String)]) throws -> WireAnswer {
            try sample.send("PUT", path, "text/markdown", Data(text.utf8), fields)
        }
        let tag = try #require(words["etag"])
        #expect(try put("mine", []).status == 428)
        #expect(try put("mine", [("If-Match", "\"other\"")]).status == 412)
        let written = try put("# Mine\n", [("If-Match", tag)])
        #expect(written.status == 200, "\(written)")
        #expect(try put("# Another\n", [("If-Match", tag)]).status == 412)
        #expect(try get("text/markdown").text == "# Mine\n")
        #expect(try get("text/markdown")["etag"] == written["etag"])
        let mark = try sample.newToken("--scope", "mark")
        let generate = "/sessions/\(ServedSample.activeID)/digest/generate"
        #expect(try sample.ask("POST", generate, token: mark, json: #"{"force":true}"#).status == 403)
        #expect(try sample.ask("POST", generate, token: mark).object["changed"] as? Bool == true)
        #expect(try sample.ask("POST", generate, token: mark).object["changed"] as? Bool == false)
    }

    @Test func `what is exported can be imported, and a dry run writes nothing`() throws {
        let export = "/sessions/\(ServedSample.lateSetID)/export?format=audacity"
        let file = try sample.ask("GET", export)
        #expect(file.status == 200, "\(file)")
        #expect(file["content-type"] == "application/octet-stream")
        #expect(file["content-disposition"]?.hasPrefix("attachment; filename=\"2026-02-04-late-set.") == true)
        #expect(file["content-length"] == "\(file.body.count)")
        let count = file.text.split(separator: "\n").count
        let path = "/sessions/\(ServedSample.activeID)/import?format=audacity"
        let before = try sample.filesOfSessions()
        let dry = try sample.send("POST", "\(path)&dry_run=true", "text/plain", file.body)
        #expect(dry.object["added"] as? Int == count, "\(dry)")
        #expect(dry.object["done"] as? Bool == false)
        #expect(try sample.filesOfSessions() == before)
        let real = try sample.send("POST", path, "text/plain", file.body)
        #expect(real.object["added"] as? Int == count, "\(real)")
        let again = try sample.send("POST", path, "text/plain", file.body)
        #expect(again.object["added"] as? Int == 0)
        #expect(again.object["already_there"] as? Int == count)

        let unknown = try sample.send(
            "POST", "/sessions/\(ServedSample.activeID)/import", "text/plain", Data("garbage".utf8))
        #expect(unknown.status == 422, "\(unknown)")
        #expect(try sample.send("POST", "\(path)&fps=25", "text/plain", file.body).status == 400)
        for (query, status) in [
            ("format=nope", 400), ("format=csv&media=nope", 404), ("format=csv&lead=x", 400), ("", 400),
            ("format=edl&fps=x", 400), ("format=edl", 422), ("format=csv&fps=25", 400),
        ] {
            let answer = try sample.ask("GET", "/sessions/\(ServedSample.lateSetID)/export?\(query)")
            #expect(answer.status == status, "\(query): \(answer)")
        }
    }

    @Test func `an import is corrected by the same contents, with the scope to change what others brought`()
        throws
    {
        let path = "/sessions/\(ServedSample.activeID)/import?format=edl"
        let event = "001  001      V     C        01:00:10:00 01:00:10:01 01:00:10:12 01:00:10:13"
        let file = Data("TITLE: x\n\n\(event)\n |C:ResolveColorBlue |M:Verse |D:1\n".utf8)
        let early = try sample.send("POST", "\(path)&fps=25&replace=true", "text/plain", file)
        #expect(early.status == 404 && early.object["code"] as? String == "no-such-import", "\(early)")
        #expect(
            early.object["hint"] as? String
                == "leave 'replace' out; what was imported another way is removed marker by marker")
        #expect(try sample.send("POST", "\(path)&fps=25", "text/plain", file).object["added"] as? Int == 1)
        let dry = try sample.send("POST", "\(path)&fps=24&replace=true&dry_run=true", "text/plain", file)
        #expect(dry.object["replaced"] as? Int == 1 && dry.object["done"] as? Bool == false, "\(dry)")
        let real = try sample.send("POST", "\(path)&fps=24&replace=true", "text/plain", file)
        #expect(real.object["replaced"] as? Int == 1 && real.object["added"] as? Int == 0, "\(real)")
        let markers = try #require(real.object["markers"] as? [[String: Any]])
        #expect(markers.map { $0["offset_ms"] as? Int } == [10_500])
        let mark = try sample.newToken("--scope", "mark")
        let refused = try sample.send("POST", "\(path)&fps=24&replace=true", "text/plain", file, token: mark)
        #expect(refused.status == 403, "\(refused)")
        let empty = try sample.send("POST", "\(path)&fps=24", "text/plain", Data())
        #expect(empty.object["hint"] as? String == "send the file as the body", "\(empty)")
    }
}
