import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing

@testable import TraceStore

/// Random sessions that are spelled otherwise than the format asks for, and put out of order.
struct RepairHistoryTests {
    @Test(arguments: Torture.choose(Array(UInt64(0)..<40), sample: 8, "histories"))
    func `what was only spelled otherwise, or moved, becomes what it was, byte for byte`(seed: UInt64) throws
    {
        let scratch = try ScratchDirectory()
        var history = RepairHistory(seed: seed)
        let scene = try RepairScene(sound: scratch.path)
        let sound = history.session()
        try scene.session.path.appending("media").appending("a.m4a").write("sound")
        for (name, text) in sound { try scene.session(name).write(text) }
        #expect(try scene.repair().plan().isEmpty, "seed \(seed)")

        let damaged = history.damaged(sound)
        for (name, text) in damaged { try scene.session(name).write(text) }
        let outcome = try scene.repair().run()
        for (name, text) in sound {
            #expect(try scene.session(name).text() == text, "\(name), seed \(seed)")
            guard damaged[name] != text else { continue }
            #expect(
                try scene.kept[name.string]?.contains(damaged[name] ?? "") == true, "\(name), seed \(seed)")
        }
        #expect(outcome.plan.unresolved.isEmpty, "seed \(seed): \(outcome.plan.unresolved)")
        #expect(try scene.repair().run().plan.isEmpty, "seed \(seed)")
    }
}

/// Makes sessions, and spells them otherwise.
private struct RepairHistory {
    private var random: SeededRandom
    private let length: Int
    /// Where pauses lie, in order, and how long they last, in seconds.
    private let pauses: [(offset: Int, length: Int)]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        length = Int.random(in: 100...1000, using: &random)
        var pauses: [(offset: Int, length: Int)] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let offset = Int.random(in: 1..<length, using: &random)
            guard !pauses.contains(where: { $0.offset == offset }) else { continue }
            pauses.append((offset, Int.random(in: 1...500, using: &random)))
        }
        self.pauses = pauses.sorted { $0.offset < $1.offset }
    }

    private func wall(_ offset: Int) -> String {
        let paused = pauses.filter { $0.offset < offset }.map(\.length).reduce(0, +)
        return moment(offset + paused)
    }

    private func moment(_ seconds: Int) -> String {
        Timestamp(milliseconds: 1_770_235_200_000 + Int64(seconds) * 1000).description
    }

    // MARK: - In order

    mutating func session() -> [FilePath.Component: String] {
        var next = 100
        func id() -> ULID {
            next += 1
            return number(next)
        }
        func entry(_ kind: String, _ offset: Int, _ wall: String, _ created: String, _ own: ULID? = nil)
            -> String
        {
            #"{"id":"\#(own ?? id())","kind":"\#(kind)","offset_ms":\#(offset * 1000),"wall_time":"\#(wall)","#
                + #""created_at":"\#(created)","source":"system"}"#
        }
        var timeline: [(offset: Int, line: String)] = [(0, entry("session_start", 0, moment(0), moment(0)))]
        for pause in pauses {
            let begin = wall(pause.offset)
            let end = moment(
                pause.offset + pauses.filter { $0.offset <= pause.offset }.map(\.length).reduce(0, +))
            timeline.append((pause.offset, entry("media_end", pause.offset, begin, begin)))
            timeline.append((pause.offset, entry("media_start", pause.offset, end, end)))
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let offset = Int.random(in: 1..<length, using: &random)
            timeline.append((offset, entry("media_start", offset, wall(offset), moment(5000))))
        }
        let end = Timestamp(wall(length)).map {
            RepairPlanner.sessionEndID(
                at: SessionOffset(milliseconds: Int64(length) * 1000), $0, of: SampleSession.id)
        }
        timeline = timeline.enumerated().sorted {
            ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset)
        }
        .map(\.element)
        timeline.append((length, entry("session_end", length, wall(length), wall(length), end)))

        var markers: [String] = []
        var notes: [String] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let (marker, note) = (id(), id())
            let offset = Int.random(in: 0..<length, using: &random) * 1000
            let isLinked = Bool.random(using: &random)
            let link = isLinked ? #","voice_note_id":"\#(note)""# : ""
            let line =
                #"{"id":"\#(marker)","offset_ms":\#(offset),"created_at":"\#(moment(offset / 1000))","source":"user""#
            markers.append(line + "}")
            // An edit of it.
            markers.append(line + link + "}")
            guard isLinked else { continue }
            notes.append(
                #"{"id":"\#(note)","created_at":"\#(moment(7))","media_path":"media/a.m4a","offset_ms":\#(offset),"#
                    + #""duration_ms":1,"marker_id":"\#(marker)"}"#)
        }
        let words = (0..<Int.random(in: 0...5, using: &random)).map { index in
            #"{"id":"\#(id())","offset_ms":\#(index / 2),"duration_ms":1,"text":"again"}"#
        }
        func file(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
        return [
            "session.json": header, "timeline.jsonl": file(timeline.map(\.line)),
            "markers.jsonl": file(markers),
            "voice_notes.jsonl": file(notes), "transcript.jsonl": file(words),
        ]
    }

    private var header: String {
        RepairScene.closed.replacing("2026-02-04T20:00:15.000Z", with: wall(length))
            .replacing("\"duration_ms\": 5000", with: "\"duration_ms\": \(length * 1000)")
            .replacing(#/"media": \[[^\]]*\]/#, with: "\"media\": []")
    }

    // MARK: - Otherwise

    mutating func damaged(_ session: [FilePath.Component: String]) -> [FilePath.Component: String] {
        // The same ids in lower case wherever they stand.
        let ids = Set(session.values.joined().matches(of: #/01J\d{23}/#).map { String($0.output) })
            .sorted().filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        return session.mapValues { text in
            var text = ids.reduce(text) { $0.replacing($1, with: $1.lowercased()) }
            text = spelledInZones(text)
            guard text.contains("session_start") || text.contains("again") else { return text }
            var lines = text.split(separator: "\n").map(String.init)
            if Bool.random(using: &random) { lines.removeAll { $0.contains("session_end") } }
            return moved(lines).map { $0 + "\n" }.joined()
        }
    }

    private mutating func spelledInZones(_ text: String) -> String {
        text.replacing(#/2026-[0-9T:.-]*Z/#) { match in
            let time = String(match.output)
            guard Bool.random(using: &random), let moment = Timestamp(time) else { return time }
            let minutes = Int64.random(in: -14...14, using: &random) * 60
            let local = Timestamp(milliseconds: moment.milliseconds + minutes * 60_000).description
            // As many digits as before.
            let hours = String(100 + abs(minutes) / 60).dropFirst()
            return local.prefix(19) + time.dropFirst(19).dropLast() + "\(minutes < 0 ? "-" : "+")\(hours):00"
        }
    }

    /// The lines in another order, but those of one offset in theirs.
    private mutating func moved(_ lines: [String]) -> [String] {
        func offset(_ line: String) -> Substring {
            line.firstMatch(of: #/"offset_ms":(\d+)/#)?.output.1 ?? ""
        }
        var rest = Dictionary(grouping: lines, by: offset)
        return lines.shuffled(using: &random).compactMap { line in
            let key = offset(line)
            return rest[key]?.isEmpty == false ? rest[key]?.removeFirst() : nil
        }
    }
}
