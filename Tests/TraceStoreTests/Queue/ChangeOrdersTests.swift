import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

/// Two devices and the command line change the same twenty markers, in generated orders, with drains that fail in between: all see one state at
/// the end, and nothing that was written is lost without somebody's having been told.
struct ChangeOrdersTests {
    @Test(
        arguments: Torture.choose(
            Array(0..<200), sample: Torture.size(full: 200, slow: 40, sample: 6), "orders"))
    func `one end state, and no loss without a word`(seed: Int) throws {
        let scratch = try ScratchDirectory()
        var run = try ChangeOrder(in: scratch.path, seed: UInt64(seed))
        for _ in 0..<120 { try run.step() }
        try run.finish()
    }
}

/// What a marker says, as far as it is changed; nil for a marker that is gone.
private typealias Members = [String: String]

/// One generated order.
private struct ChangeOrder {
    private let editing: EditingScene
    private var dice: SeededRandom
    private let seed: UInt64
    /// What the session must say, by rules of its own: no entry of the queue is asked.
    private var expected: [Int: Members] = [:]
    /// What each device shows, since it looked last.
    private var seen: [[Int: Members]]
    /// What each device has not sent yet.
    private var outboxes: [[Sent]] = [[], []]
    /// What was sent, and has no outcome yet.
    private var waiting: [ULID: Sent] = [:]
    /// What a command has written, with what the marker was before and behind it; the last one last.
    private var written: [Written] = []
    private var nextID = 1000
    /// All that was ever sent.
    private var all: [(entry: String, id: Int)] = []
    /// Those that were told to be in conflict: their senders have them.
    private var told: Set<Int> = []

    private struct Sent {
        let id: Int
        let marker: Int
        /// Nil for a removal.
        let set: Members?
        let was: Members
        let entry: String
        /// Whether the command line has queued it.
        var isCommand = false
    }

    private struct Written {
        let marker: Int
        let before: Members?
        let after: Members?
    }

    private static let ann = Deliverer(token: number(70), person: "ann")
    private static let markers = Array(100..<120)

    init(in root: FilePath, seed: UInt64) throws {
        self.seed = seed
        dice = SeededRandom(seed: seed &+ 77)
        editing = try EditingScene(in: root)
        try editing.notes.write("")
        let lines = Self.markers.map { QueueScene.markerLine($0) + "\n" }
        try editing.markers.write(lines.joined())
        for id in Self.markers { expected[id] = ["offset_ms": "\(id)000"] }
        seen = [expected, expected]
    }

    private var scene: QueueScene { editing.scene }

    // MARK: - Steps

    mutating func step() throws {
        switch Int.random(in: 0..<100, using: &dice) {
        case ..<45: try change(on: Int.random(in: 0..<2, using: &dice))
        case ..<60: try command()
        case ..<66: try queueCommand()
        case ..<72: try undo()
        case ..<80: try send(from: 0)
        case ..<88: try send(from: 1)
        case ..<94: try drain(failing: Int.random(in: 0..<3, using: &dice) == 0)
        default:
            // A device looks at the session.
            seen[Int.random(in: 0..<2, using: &dice)] = expected
        }
    }

    private mutating func made(_ marker: Int, _ view: Members, isCommand: Bool = false) -> Sent {
        nextID += 1
        if Int.random(in: 0..<5, using: &dice) == 0 {
            let was = ["offset_ms": view["offset_ms"] ?? "", "label": view["label"] ?? "null"]
            return sent(marker, nil, was, isCommand)
        }
        let member = dice.element(of: ["label", "note", "offset_ms"])
        let value = member == "offset_ms" ? "\(nextID)" : "\"v\(nextID)\""
        return sent(marker, [member: value], [member: view[member] ?? "null"], isCommand)
    }

    private func sent(_ marker: Int, _ set: Members?, _ was: Members, _ isCommand: Bool) -> Sent {
        func object(_ members: Members) -> String {
            "{"
                + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(
                    separator: ",")
                + "}"
        }
        let payload =
            "{\"record_id\":\"\(number(marker))\"" + (set.map { ",\"set\":\(object($0))" } ?? "")
            + ",\"was\":\(object(was))}"
        let kind = set == nil ? "marker.remove" : "marker.edit"
        return Sent(
            id: nextID, marker: marker, set: set, was: was,
            entry: QueueScene.entry(nextID, kind, payload), isCommand: isCommand)
    }

    /// A device changes what it shows; the session knows nothing of it yet.
    private mutating func change(on device: Int) throws {
        guard let marker = seen[device].keys.sorted().randomElement(using: &dice),
            let view = seen[device][marker]
        else { return }
        let change = made(marker, view)
        seen[device][marker] = change.set.map { view.merging($0) { $1 } }
        outboxes[device].append(change)
    }

    /// The command line changes the session at once.
    private mutating func command() throws {
        guard let marker = expected.keys.sorted().randomElement(using: &dice), let before = expected[marker]
        else { return }
        nextID += 1
        if Int.random(in: 0..<6, using: &dice) == 0 {
            try editing.remove(marker)
            expected[marker] = nil
        } else {
            var edit = RecordEdit()
            edit.values = [("label", JSONText("c\(nextID)"))]
            try editing.edit(marker, edit)
            expected[marker]?["label"] = "\"c\(nextID)\""
        }
        written.append(Written(marker: marker, before: before, after: expected[marker]))
    }

    /// The command line queues a change, of what the session says.
    private mutating func queueCommand() throws {
        guard let marker = expected.keys.sorted().randomElement(using: &dice), let view = expected[marker]
        else { return }
        let change = made(marker, view, isCommand: true)
        try deliver(change, to: scene.local)
        editing.noteQueued([change.id])
        // Where it is in the order of the commands, and what it has changed, is known when it is drained.
        try drain(failing: false)
    }

    /// The first device's files are carried by a sync tool, the second one sends over the network; each in the order in which it made them.
    private mutating func send(from device: Int) throws {
        let count = Int.random(in: 0...outboxes[device].count, using: &dice)
        let batch = Array(outboxes[device].prefix(count))
        outboxes[device].removeFirst(count)
        if device == 0 {
            for change in batch { try deliver(change, to: scene.phone) }
            return
        }
        var delivery = scene.delivery()
        delivery.rights = { _ in .all }
        let isBroken = Int.random(in: 0..<4, using: &dice) == 0
        if isBroken {
            try drain(failing: false)
            delivery.failPoint = failure()
        }
        for change in batch {
            all.append((change.entry, change.id))
            waiting[number(change.id)] = change
            // Sent until there is an answer; what could not be written at once is written by the drain that follows.
            let answer = try? scene.send(change.entry, change.id, deliveredBy: Self.ann, by: delivery)
            if let answer, !answer.result.isPending {
                try settle(answer.id, Set(answer.result.conflicts.map(\.name)), answer.result.name)
            } else {
                if answer == nil { try scene.deliver(change.entry, change.id) }
                try drain(failing: false)
            }
        }
    }

    private mutating func deliver(_ change: Sent, to spool: FilePath) throws {
        try scene.deliver(change.entry, change.id, to: spool)
        all.append((change.entry, change.id))
        waiting[number(change.id)] = change
    }

    /// Fails at some step to come.
    private mutating func failure() -> FailPoint {
        let steps = Steps()
        let fatal = Int.random(in: 1...60, using: &dice)
        return { step, _ throws(Errno) in if steps.add(step) == fatal { throw .ioError } }
    }

    private mutating func drain(failing: Bool) throws {
        // What the first one has written it may not say: the second one does, and what neither says is where it was put.
        var outcomes: [DrainOutcome] = []
        if failing {
            let fault = failure()
            outcomes = (try? run(failPoint: fault)) ?? []
        }
        outcomes += try run(failPoint: nil)
        var results: [ULID: (conflicts: Set<String>, name: String)] = [:]
        for outcome in outcomes where !outcome.result.isPending {
            results[outcome.id] = (Set(outcome.result.conflicts.map(\.name)), outcome.result.name)
        }
        for id in waiting.keys where results[id] == nil {
            let items = try QueueInspection(scene.queue, locate: scene.locate).items(of: EntryName(id))
            guard let item = items.first else { continue }
            results[id] = (Set(item.state.conflicts.map(\.name)), item.state.name)
        }
        for (id, result) in results.sorted(by: { $0.key < $1.key }) {
            try settle(id, result.conflicts, result.name)
        }
    }

    private func run(failPoint: FailPoint?) throws -> [DrainOutcome] {
        var drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        drain.failPoint = failPoint
        drain.rights = { _ in .all }
        return try drain.run(report: { _ in })
    }

    // MARK: - What must come of it

    /// Compares an outcome with what the members say, and takes it over.
    private mutating func settle(_ id: ULID, _ told: Set<String>, _ result: String) throws {
        guard let change = waiting.removeValue(forKey: id) else { return }
        let before = expected[change.marker]
        var after = before
        var conflicts: Set<String> = []
        if let set = change.set {
            for (name, value) in set {
                if before?[name] == value { continue }
                if before != nil, before?[name] ?? "null" == change.was[name] {
                    after?[name] = value
                } else {
                    conflicts.insert(name)
                }
            }
        } else if let before {
            for (name, value) in change.was where before[name] ?? "null" != value { conflicts.insert(name) }
            if conflicts.isEmpty { after = nil }
        }
        #expect(told == conflicts, "\(change) of \(before ?? [:]), seed \(seed)")
        #expect(
            result == (conflicts.isEmpty ? "applied" : "changed-meanwhile")
                || conflicts.isEmpty && result == "already-applied",
            "\(change), seed \(seed)")
        if !conflicts.isEmpty { self.told.insert(change.id) }
        expected[change.marker] = after
        if change.isCommand { written.append(Written(marker: change.marker, before: before, after: after)) }
    }

    /// An undo takes back what is as the command has left it, or says that it is not.
    private mutating func undo() throws {
        guard let last = written.popLast() else { return }
        let isUnchanged = expected[last.marker] == last.after
        do {
            _ = try editing.undo()
            guard last.before != last.after else { return }
            #expect(isUnchanged, "an undo has taken back what another has written, seed \(seed)")
            expected[last.marker] = last.before
        } catch let error as StoreError where error.code == .unsafeToUndo {
            try editing.skip()
        }
    }

    private func state() throws -> [Int: Members] {
        var state: [Int: Members] = [:]
        for line in try editing.markers.text().split(separator: "\n") {
            let object = try JSONObjectEditor(Array(line.utf8))
            guard
                let id = try object.text(of: "id").flatMap({
                    Int(String(decoding: $0, as: UTF8.self).dropFirst(4).dropLast())
                })
            else { continue }
            var members: Members = [:]
            for name in ["label", "note", "offset_ms"] {
                guard let text = try object.text(of: name) else { continue }
                let value = String(decoding: text, as: UTF8.self)
                if value != "\"\"" { members[name] = value }
            }
            state[id] = members
        }
        return state
    }

    mutating func finish() throws {
        while !outboxes.allSatisfy(\.isEmpty) {
            try send(from: 0)
            try send(from: 1)
            try drain(failing: false)
        }
        try drain(failing: false)
        #expect(waiting.isEmpty, "\(waiting.count) have no outcome, seed \(seed)")
        #expect(try state() == expected, "seed \(seed)")
        // All of it comes once more, in another order.
        let before = try editing.files()
        for (entry, id) in all.shuffled(using: &dice) where !told.contains(id) {
            let answer = try scene.send(entry, id, deliveredBy: Self.ann)
            #expect(answer.result.name == "already-applied", "\(answer), seed \(seed)")
        }
        #expect(try editing.files() == before, "seed \(seed)")
    }
}
