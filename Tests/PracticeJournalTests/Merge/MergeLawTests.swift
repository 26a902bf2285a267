import PracticeJournal
import RecordFormat
import TestSupport
import Testing

/// The laws of merging, on random histories of three devices.
struct MergeLawTests {
    /// How many histories of the 1,000 are tried: all of them in `make torture`.
    private static let share = Torture.isFull ? 100 : 20

    @Test(arguments: 0..<10)
    func `what devices say joins in any order, and any number of times, to the same document`(
        hundred: Int
    ) throws {
        for seed in hundred * 100..<hundred * 100 + Self.share {
            var history = try DeviceHistory(seed: UInt64(seed))
            try history.run(steps: 12)
            let said = history.said
            let expected = history.server.state
            let shuffled = said.shuffled(using: &history.random)
            #expect(shuffled.reduce(history.first) { $0.joined(with: $1) } == expected, "seed \(seed)")
            #expect(shuffled.reduce(expected) { $0.joined(with: $1) } == expected, "seed \(seed)")
            // Two halves that are joined are the whole.
            let middle = Int.random(in: 0...said.count, using: &history.random)
            let (one, other) = (said[..<middle], said[middle...])
            let halves = one.reduce(SyncState()) { $0.joined(with: $1) }
                .joined(with: other.reduce(history.first) { $0.joined(with: $1) })
            #expect(halves == expected, "seed \(seed)")
            #expect(SyncState(SpelledJSON(expected.json.bytes)) == expected, "seed \(seed)")
            var journal = try Journal(history.start)
            for said in shuffled { try journal.hear(said) }
            #expect(
                GoldenValue(journal.document.bytes) == GoldenValue(history.server.document.bytes),
                "seed \(seed)")
            // And what was never removed is there.
            let there = Set(
                PracticeArray.allCases.flatMap { journal.document.ids(of: $0) }.compactMap(\.self))
            #expect(history.made.subtracting(history.removed).subtracting(there).isEmpty, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<5)
    func `a strict reader that hands back what it got changes nothing`(hundred: Int) throws {
        for seed in hundred * 20..<hundred * 20 + Self.share / 5 {
            var history = try DeviceHistory(seed: UInt64(seed))
            history.usesUnknownWords = true
            try history.run(steps: 12)
            let document = history.server.document
            let strict = try DocumentValues(Scene.document(StrictView(of: document).bytes))
            let said = SyncState(
                from: strict, to: strict, stamp: SyncStamp(milliseconds: .max, device: "phone"))
            #expect(said.isEmpty, "seed \(seed)")
        }
    }
}

/// A random history of a server and three devices, each of which changes its own document and exchanges it now and then.
struct DeviceHistory {
    var random: SeededRandom
    let start: PracticeDocument
    let first: SyncState
    var server: Journal
    /// What devices have said, in that order.
    private(set) var said: [SyncState] = []
    /// What the server has had.
    private(set) var documents: [PracticeDocument] = []
    private(set) var made: Set<String> = []
    private(set) var removed: Set<String> = []
    var usesUnknownWords = false
    private var devices: [Device] = []
    private var clock: Int64 = 1_772_388_000_000

    private struct Device {
        let name: String
        var base: DocumentValues?
        var document: LooseDocument
    }

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        var document = LooseDocument()
        for number in 0..<6 {
            document.add(
                LooseDocument.record(
                    "scoreEntries", id: "start-\(number)", time: 1_772_387_000_000 + Int64(number)))
        }
        for number in 0..<3 {
            document.add(
                LooseDocument.record(
                    "customGroups", id: "group-\(number)", time: 1_772_387_000_000 + Int64(number)))
        }
        start = try Scene.document(document.text.utf8)
        server = try Journal(start)
        first = server.state
        for name in ["phone", "tablet", "laptop"] {
            devices.append(Device(name: name, base: try DocumentValues(start), document: document))
        }
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            let device = Int.random(in: 0..<devices.count, using: &random)
            for _ in 0..<Int.random(in: 0...3, using: &random) { change(device) }
            if Bool.random(using: &random) { try exchange(device) }
        }
        for device in devices.indices { try exchange(device) }
    }

    private mutating func exchange(_ number: Int) throws {
        clock += Int64.random(in: 0...2, using: &random)
        var device = devices[number]
        let values = try DocumentValues(Scene.document(device.document.text.utf8))
        // Now and then a device has forgotten what it had.
        let base = Int.random(in: 0..<8, using: &random) == 0 ? nil : device.base
        let stamp =
            base == nil
            ? SyncStamp(milliseconds: values.newest ?? 0, device: "")
            : .next(
                of: device.name, after: server.state.latest[device.name],
                at: Timestamp(milliseconds: clock))
        let state =
            base.map { SyncState(from: $0, to: values, stamp: stamp) }
            ?? SyncState(values, beyond: server.state, stamp: stamp)
        said.append(state)
        try server.hear(state)
        documents.append(server.document)
        device.document = LooseDocument(server.document.bytes)
        device.base = try DocumentValues(server.document)
        devices[number] = device
    }

    private mutating func change(_ number: Int) {
        clock += 1
        let array = random.element(of: PracticeArray.allCases.map(\.rawValue))
        var document = devices[number].document
        let places = document.records[array, default: []].indices
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1, 2:
            let id = "\(devices[number].name)-\(clock)"
            document.add(
                LooseDocument.record(array, id: id, time: 1_772_387_000_000 + clock % 7, word(array)))
            made.insert(id)
        case 3, 4:
            guard let place = places.randomElement(using: &random) else { break }
            document.records[array]?[place].members["\("abc".randomElement(using: &random) ?? "a")"] =
                "\(clock)"
        case 5:
            guard let place = places.randomElement(using: &random) else { break }
            document.records[array]?[place].members["a"] = nil
        case 6:
            guard let place = places.randomElement(using: &random),
                let gone = document.records[array]?.remove(at: place)
            else { break }
            removed.insert(gone.id)
        case 7:
            document.records["customGroups"]?.shuffle(using: &random)
        default:
            let object = random.element(of: PracticeMap.allCases.map(\.rawValue))
            let key = random.element(of: ["G1", "G2", "G3"])
            let isGone = Bool.random(using: &random)
            document.objects[object, default: [:]][key] = isGone ? nil : "\(clock)"
            document.others["newer"] = isGone ? nil : "[\(clock)]"
        }
        devices[number].document = document
    }

    private mutating func word(_ array: String) -> [String: String] {
        guard usesUnknownWords else { return [:] }
        return switch array {
        case "noteEntries": ["category": random.element(of: [#""mechanics""#, #""general""#, #""zen""#])]
        case "customGroups": ["type": random.element(of: [#""bank""#, #""tour""#])]
        default: [:]
        }
    }
}

/// A document as a device has it in its memory.
struct LooseDocument {
    struct Record {
        let id: String
        let time: Int64
        var members: [String: String]
    }

    // All are written, empty or not, as the app does.
    var records = Dictionary(uniqueKeysWithValues: PracticeArray.allCases.map { ($0.rawValue, [Record]()) })
    var objects = Dictionary(
        uniqueKeysWithValues: PracticeMap.allCases.map { ($0.rawValue, [String: String]()) })
    var others: [String: String] = [:]

    init() {}

    init(_ bytes: [UInt8]) {
        for (name, value) in GoldenValue(bytes).members {
            if PracticeArray(rawValue: name) != nil {
                records[name] = value.elements.map { element in
                    var members: [String: String] = [:]
                    for (name, value) in element.members { members[name] = value.description }
                    let time = element["timestamp"] ?? element["createdAt"]
                    return Record(
                        id: element.text("id"), time: Int64(time?.integer ?? 0), members: members)
                }
            } else if value.bytes.first == UInt8(ascii: "{") {
                for (key, value) in value.members { objects[name, default: [:]][key] = value.description }
            } else {
                others[name] = value.description
            }
        }
    }

    static func record(
        _ array: String, id: String, time: Int64, _ more: [String: String] = [:]
    ) -> (array: String, record: Record) {
        let timeName = array == "customGroups" ? "createdAt" : "timestamp"
        var members = ["id": "\"\(id)\"", "gameID": #""G1""#, timeName: "\(time)", "a": "1"]
        members.merge(more) { $1 }
        return (array, Record(id: id, time: time, members: members))
    }

    /// In its place by time and id, as the app does not care and the format does.
    mutating func add(_ new: (array: String, record: Record)) {
        var list = records[new.array, default: []]
        let place = list.firstIndex { ($0.time, $0.id) > (new.record.time, new.record.id) } ?? list.count
        list.insert(new.record, at: place)
        records[new.array] = list
    }

    var text: String {
        var parts = records.sorted { $0.key < $1.key }.map { name, records in
            "\"\(name)\":[" + records.map { Self.object($0.members) }.joined(separator: ",") + "]"
        }
        parts += objects.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\(Self.object($0.value))" }
        parts += others.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{\(parts.joined(separator: ","))}"
    }

    private static func object(_ members: [String: String]) -> String {
        "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
            + "}"
    }
}
