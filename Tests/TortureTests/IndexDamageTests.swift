import Foundation
import GRDB
import ProgramHarness
import TestSupport
import Testing

/// Whatever becomes of the file of the index, `traced` lives on or comes up, and no command answers wrongly.
@Suite(.serialized) struct IndexDamageTests {
    /// What is done to the database, which nobody has open for the moment unless it is said.
    enum Damage: String, CaseIterable, CustomTestStringConvertible {
        case deleted
        case deletedWithJournal = "deleted with its journal"
        case emptied
        case truncated
        case noDatabase = "text"
        case ofAnotherProgram = "of another program"
        case newerSchema = "of a newer schema"
        case staleJournal = "beside the journal of another database"
        case olderJournal = "beside an older journal of its own"

        var testDescription: String { rawValue }

        func apply(to database: String, _ dice: inout SeededRandom) throws {
            let manager = FileManager.default
            switch self {
            case .deleted: try manager.removeItem(atPath: database)
            case .deletedWithJournal: for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
            case .emptied: truncate(database, 0)
            case .truncated:
                let size = try manager.attributesOfItem(atPath: database)[.size] as? Int ?? 0
                truncate(database, off_t(Int.random(in: 1..<size, using: &dice)))
            case .noDatabase: try Data("dear diary\n".utf8).write(to: URL(filePath: database))
            case .ofAnotherProgram:
                for suffix in ["", "-wal", "-shm"] { unlink(database + suffix) }
                try sql("CREATE TABLE song (title TEXT)", in: database)
            case .newerSchema: try sql("PRAGMA user_version = 999", in: database)
            case .staleJournal:
                let other = "\(database).other"
                let queue = try DatabaseQueue(path: other)
                try queue.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA journal_mode = WAL; CREATE TABLE song (title TEXT)")
                }
                try copyJournal(of: other, to: database)
                try queue.close()
                unlink(other)
            case .olderJournal:
                guard manager.fileExists(atPath: "\(database).kept-wal") else { return }
                try? manager.removeItem(atPath: "\(database)-shm")
                try? manager.removeItem(atPath: "\(database)-wal")
                try manager.copyItem(atPath: "\(database).kept-wal", toPath: "\(database)-wal")
            }
        }

        private func sql(_ text: String, in path: String) throws {
            let queue = try DatabaseQueue(path: path)
            try queue.writeWithoutTransaction { try $0.execute(sql: text) }
            try queue.close()
        }

        private func copyJournal(of other: String, to database: String) throws {
            unlink("\(database)-shm")
            unlink("\(database)-wal")
            try FileManager.default.copyItem(atPath: "\(other)-wal", toPath: "\(database)-wal")
        }
    }

    private static let sessions = ["a", "b", "c"]
    private static let damages = Torture.choose(Damage.allCases, sample: 1, "damages")
    private static let damagesUnder = Torture.choose(Damage.allCases, sample: 1, "damages under")

    /// Three sessions with some markers, of which the words and the tags are searched too.
    private static func fill(_ scratch: Scratch) throws {
        for (index, name) in sessions.enumerated() {
            let markers = (0..<60).map { line in
                marker(
                    100 + line, at: line * 500, "\"label\":\"riff \(line % 7)\",",
                    tags: line % 5 == 0 ? ["fix"] : [])
            }
            try scratch.session(name, id: index + 1, title: "Set \(name)", markers: markers.joined())
        }
    }

    /// Questions whose answers come out of the index.
    private static let questions = [
        ["sessions", "--json"], ["markers", "list", "--all", "--tag", "fix", "--json"],
        ["search", "riff 3", "--json", "--limit", "500"], ["at", "2026-02-04T20:00:05Z", "--json"],
        ["markers", "list", "sessions/a", "--json"],
        ["markers", "list", "sessions/b", "--offset-min", "0:05", "--offset-max", "0:12", "--json"],
    ]

    /// What they are answered with an index that nobody has damaged.
    private static func truth(_ scratch: Scratch) throws -> [Outcome] {
        defer { try? scratch.remove("sound") }
        return try questions.map { try scratch.trace($0 + ["--state-directory", "\(scratch.path)/sound"]) }
    }

    private static func check(_ scratch: Scratch, against truth: [Outcome], _ what: String) throws {
        for (question, right) in zip(questions, truth) {
            let outcome = try scratch.trace(question)
            #expect(
                outcome.output == right.output && outcome.status == right.status,
                "\(what): \(question)\n\(outcome.errors)")
        }
    }

    @Test(arguments: damages)
    func `a damaged index is moved aside when it is opened, and no answer is wrong`(_ damage: Damage) throws {
        var dice = Torture.dice("damage \(damage)")
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], prepare: Self.fill)
        let (scratch, database) = (watched.scratch, watched.index.path)
        try watched.awaitRest()
        try FileManager.default.copyItem(atPath: "\(database)-wal", toPath: "\(database).kept-wal")
        #expect(watched.daemon.terminate().status == 0)
        let truth = try Self.truth(scratch)
        for round in 0..<Torture.size(full: 10, sample: 1) {
            let what = "\(damage), round \(round)"
            try damage.apply(to: database, &dice)
            try Self.check(scratch, against: truth, "commands, \(what)")
            try damage.apply(to: database, &dice)
            try watched.start()
            #expect(watched.daemon.isRunning, "\(what)\n\(watched.daemon.log)")
            try watched.awaitRest(what) { $0.sessions == 3 }
            try watched.checkEqualsFiles(what)
            try Self.check(scratch, against: truth, "beside the daemon, \(what)")
            #expect(watched.daemon.terminate().status == 0)
        }
        try checkKept(in: scratch)
    }

    @Test(arguments: damagesUnder)
    func `an index that is damaged under the daemon is noticed, and no answer is wrong`(_ damage: Damage)
        throws
    {
        var dice = Torture.dice("damage under \(damage)")
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], prepare: Self.fill)
        let scratch = watched.scratch
        try watched.awaitRest()
        for round in 0..<Torture.size(full: 10, sample: 1) {
            let what = "\(damage) under the daemon, round \(round)"
            let daemon = watched.daemon.id
            try damage.apply(to: watched.index.path, &dice)
            try watched.append(marker(1000 + round, at: round), to: "b/markers.jsonl")
            try Self.check(scratch, against: Self.truth(scratch), what)
            try watched.awaitRest(what) { $0.sessions == 3 }
            try watched.checkEqualsFiles(what)
            try Self.check(scratch, against: Self.truth(scratch), what)
            #expect(watched.daemon.isRunning && watched.daemon.id == daemon, "\(watched.daemon.log)")
        }
        try checkKept(in: scratch)
    }

    /// No more than a few of those that were moved aside are kept.
    private func checkKept(in scratch: Scratch) throws {
        let kept = try scratch.names(in: "state").filter {
            $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        #expect(kept.count <= 3)
    }

    /// A bit in a value that no structure of SQLite depends on can't be seen by anybody who does not read the file; what
    /// is shown is compared with the file's line all the same. So nothing that is shown is wrong, and an answer that lacks
    /// something is mended by `trace index rebuild`.
    @Test func `flipped bits end no daemon and show nothing that is not there`() throws {
        var dice = Torture.dice("flipped bits")
        let watched = try WatchedRoot(["TRACE_RECONCILE_INTERVAL": "1h"], prepare: Self.fill)
        let (scratch, database) = (watched.scratch, watched.index.path)
        try watched.awaitRest()
        #expect(watched.daemon.terminate().status == 0)
        for suffix in ["-wal", "-shm"] { unlink(database + suffix) }
        let sound = try Data(contentsOf: URL(filePath: database))
        let truth = try Self.truth(scratch)
        var wrong = 0
        let rounds = Torture.size(full: 150, sample: 1)
        for round in 0..<rounds {
            for suffix in ["-wal", "-shm"] { unlink(database + suffix) }
            var bytes = sound
            for _ in 0..<(round.isMultiple(of: 3) ? 300 : 4) {
                bytes[Int.random(in: 0..<bytes.count, using: &dice)] ^=
                    1 << UInt8.random(in: 0..<8, using: &dice)
            }
            try bytes.write(to: URL(filePath: database))
            let what = "TRACE_SEED=\(Torture.seed) round \(round)"
            try watched.start()
            for (question, right) in zip(Self.questions, truth) {
                let outcome = try scratch.trace(question)
                #expect([0, 1, 74, 75].contains(outcome.status), "\(what): \(question)\n\(outcome)")
                if outcome.status == right.status, outcome.output != right.output { wrong += 1 }
                #expect(
                    outcome.status > 1 || Self.isPart(outcome.output, of: right.output),
                    "\(what): \(question)\n\(outcome)")
            }
            #expect(watched.daemon.isRunning, "\(what)\n\(watched.daemon.log)")
            #expect(watched.daemon.terminate().status == 0)
            let rebuilt = try scratch.trace("index", "rebuild")
            #expect(rebuilt.status == 0, "\(what): \(rebuilt)")
            try Self.check(scratch, against: truth, what)
        }
        print(
            "torture: \(wrong) of \(rounds * Self.questions.count) answers lacked something after flipped bits"
        )
    }

    /// Whether an answer holds no marker that the right one has not.
    private static func isPart(_ answer: String, of right: String) -> Bool {
        let ids = Set(answer.matches(of: #/"record":(\{[^{}]*\})/#).map { String($0.output.1) })
        return ids.isSubset(of: right.matches(of: #/"record":(\{[^{}]*\})/#).map { String($0.output.1) })
    }

    // MARK: - A full disk

    @Test(.enabled(if: Namespace.mounting != nil, "mounting is not permitted here"))
    func `a full disk is waited out, told once, and no answer is wrong`() throws {
        let scratch = try Scratch()
        try Self.fill(scratch)
        let truth = try Self.truth(scratch)
        let disk = try TinyDisk(scratch, size: "200k")
        let environment = [
            "TRACE_RECONCILE_INTERVAL": "1h", "TRACE_SETTLE_TIME": "300ms", "TRACE_LOG_LEVEL": "notice",
        ]
        func daemon(awaitReady: Bool) throws -> DaemonProcess {
            try DaemonProcess(
                in: URL(filePath: scratch.path), environment: environment, under: disk.entering,
                awaitReady: awaitReady)
        }
        func ask(_ arguments: [String]) throws -> Outcome {
            try scratch.run(
                disk.entering[0], Array(disk.entering.dropFirst()) + [Binaries.url("trace").path] + arguments,
                environment)
        }
        func check(_ what: String) throws {
            for (question, right) in zip(Self.questions, truth) {
                let outcome = try ask(
                    question.map { $0.hasPrefix("sessions/") ? "\(scratch.path)/\($0)" : $0 })
                #expect(
                    outcome.output == right.output && outcome.status == right.status,
                    "\(what): \(question)\n\(outcome.errors)")
            }
        }
        var traced = try daemon(awaitReady: false)
        try soon("it says that the disk is full") { traced.log.contains("index-disk-full") }
        try check("while the disk is full")
        #expect(traced.isRunning)
        // Started anew, it waits until there is room.
        traced.kill()
        _ = try disk.run("rm -f index.sqlite*; dd if=/dev/zero of=filler bs=4096 2>/dev/null; true")
        traced = try daemon(awaitReady: false)
        try soon("it waits") { traced.log.contains("waiting for the index") || !traced.isRunning }
        try check("while nothing at all can be written")
        #expect(traced.isRunning, "\(traced.log)")
        #expect(!traced.log.contains(" ready "))
        let grown = try disk.grow()
        #expect(grown.status == 0, "\(grown)")
        try soon("traced is ready") { traced.log.contains(" ready ") }
        try soon("the index is up to date") {
            let status = try ask(["index", "status", "--json"])
            return status.output.contains("\"lagging\":0") && status.output.contains("\"sessions\":3")
        }
        let verified = try ask(["index", "verify"])
        #expect(verified == Outcome("ok: 3 sessions match their files\n"))
        #expect(traced.log.components(separatedBy: "waiting for the index").count == 2, "\(traced.log)")
        try check("when there is room again")
        #expect(traced.terminate().status == 0)
    }
}
