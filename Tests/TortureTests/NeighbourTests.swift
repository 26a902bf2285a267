import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Programs that know nothing of locks, at the very files into which a drain writes.
struct NeighbourTests {
    /// One of them: a round of a shell script, in the session directory.
    struct Neighbour: CustomTestStringConvertible {
        let name: String
        let round: String
        /// The program that it needs.
        var program = "/bin/sh"
        /// Whether it only adds lines, so that everything must be there in the end, its own lines too.
        var onlyAdds = false

        var testDescription: String { name }
    }

    static let neighbours = [
        Neighbour(
            name: "an appender without locks",
            round:
                #"printf '{"id":"%s","offset_ms":5,"created_at":"2026-02-04T20:01:00.000Z","source":"user","tags":[]}\n' $(ulid $i) >> markers.jsonl"#,
            onlyAdds: true),
        Neighbour(
            name: "an editor that renames over",
            round:
                "cp -p markers.jsonl ../.markers.swp && echo >> ../.markers.swp && mv ../.markers.swp markers.jsonl"
        ),
        Neighbour(
            name: "sed -i", round: "sed -i 's/\"source\":\"user\"/\"source\": \"user\"/' markers.jsonl"),
        Neighbour(
            name: "rsync from a copy that lags",
            round:
                "rsync -a ./ ../../copy/; sleep 0.02; touch ../../copy/markers.jsonl; rsync -a ../../copy/ ./",
            program: "/usr/bin/rsync"),
        Neighbour(
            name: "rsync --inplace from a copy that lags",
            round:
                "rsync -a ./ ../../copy/; sleep 0.02; touch ../../copy/markers.jsonl; rsync -a --inplace ../../copy/ ./",
            program: "/usr/bin/rsync"),
        Neighbour(
            name: "a sync tool that keeps conflict copies",
            round: """
                cp markers.jsonl ../../copy; sleep 0.02
                touch -d 2026-02-04T20:00:00 ../../copy
                cp -p ../../copy .syncthing.markers.jsonl.tmp
                cp -p markers.jsonl markers.sync-conflict-20260204-1200$((i % 50 + 10))-ABCDEFG.jsonl
                mv .syncthing.markers.jsonl.tmp markers.jsonl
                """),
        Neighbour(name: "truncation of the last bytes", round: "truncate -s -30 markers.jsonl; sleep 0.02"),
        Neighbour(name: "emptying", round: ": > markers.jsonl; sleep 0.05"),
    ]

    @Test(arguments: neighbours)
    func `a drain beside other programs loses nothing silently and doubles nothing`(_ neighbour: Neighbour)
        throws
    {
        try Test.require(neighbour.program)
        let scratch = try Scratch()
        try scratch.session("set", markers: marker(10, at: 1000))
        if neighbour.program.hasSuffix("rsync") { try scratch.makeDirectory("copy") }
        let queue = Queue(scratch)
        try queue.add(markerAt: 1)

        // Both end when the file 'stop' is there.
        let drain = try scratch.start(
            "while [ ! -e stop ]; do \"$TRACE\" queue flush --json; done", log: "drain.log")
        let other = try scratch.start(
            """
            ulid() { printf '01J%023d' $((500000 + $1)); }
            cd sessions/set; i=0
            while [ ! -e ../../stop ]; do i=$((i + 1)); \(neighbour.round); echo $i > ../../rounds; done
            """, log: "neighbour.log")
        func rounds() -> Int {
            Int((try? scratch.text("rounds"))?.trimmingCharacters(in: .newlines) ?? "") ?? 0
        }
        for _ in 0..<Torture.size(full: 2000, sample: 16) {
            try queue.add(markerAt: Int64(queue.ids.count))
            let round = rounds()
            try soon("the other program goes on") { rounds() > round }
        }
        try soon("the queue is drained meanwhile") {
            (try? scratch.names(in: "state/done"))?.isEmpty == false
        }
        try scratch.write("", to: "stop")
        #expect(try other.wait() == 0)
        #expect(try drain.wait() < 128)
        try checkEntries(queue.ids, onlyAdds: neighbour.onlyAdds, in: scratch)
        if neighbour.onlyAdds {
            let ids = try scratch.idsOfLines("sessions/set/markers.jsonl")
            let theirs = (1...rounds()).map { number(500_000 + $0) }
            #expect(ids.sorted() == ([number(10)] + theirs + queue.ids).sorted())
            #expect(try scratch.trace("validate", "\(scratch.sessions)/set").status == 0)
        }
    }

    /// Each entry stands once; or the other program has lost it, and its next delivery is told to have
    /// vanished.
    private func checkEntries(_ ids: [String], onlyAdds: Bool, in scratch: Scratch) throws {
        for _ in 0..<3 { _ = try scratch.trace("queue", "flush") }
        #expect(try scratch.names(in: "state/queue") == [])
        #expect(try scratch.names(in: "state/done").sorted() == ids.map { "\($0).json" }.sorted())
        let lines = try scratch.idsOfLines("sessions/set/markers.jsonl")
        let counts = Dictionary(lines.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(ids.filter { counts[$0, default: 0] > 1 } == [], "twice")
        let lost = ids.filter { counts[$0] == nil }
        #expect(lost.isEmpty || !onlyAdds)
        for id in lost {
            try FileManager.default.copyItem(
                atPath: "\(scratch.state)/done/\(id).json", toPath: "\(scratch.state)/queue/\(id).json")
        }
        guard !lost.isEmpty else { return }
        let outcome = try scratch.trace("queue", "flush")
        for id in lost {
            #expect(
                outcome.output.contains("record-vanished\t\(id)")
                    || outcome.output.contains("record-vanished\t<ulid>"))
        }
        #expect(
            outcome.output.components(separatedBy: "record-vanished\t").count - 1 == lost.count, "\(outcome)")
    }
}

extension Test {
    /// Ends the test, and says so, where the machine lacks a program.
    fileprivate static func require(_ program: String) throws {
        guard access(program, X_OK) != 0 else { return }
        try Test.cancel("\(program) is missing")
    }
}
