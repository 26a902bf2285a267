import FormatHarness
import TestSupport
import TraceFormat

/// Lines of every kind, made of small parts so that they collide often.
enum MergeLines {
    static func id(_ number: Int) -> String { "01KGN6Z5BM00000000000000" + String(100 + number).suffix(2) }

    /// A valid line; `version` makes it differ from other lines of its id.
    static func line(_ kind: RecordKind, _ number: Int, time: Int, version: Int = 0, offset: Int? = nil)
        -> String
    {
        let head = #""id":"\#(id(number))""#
        let created = #""created_at":"2026-02-04T20:\#(10 + time / 60 % 50):\#(10 + time % 50)Z""#
        let at = #""offset_ms":\#(offset ?? time)"#
        return switch kind {
        case .session, .marker:
            #"{\#(head),\#(at),\#(created),"source":"user","label":"\#(version)"}"#
        case .timeline:
            #"{\#(head),"kind":"media_start",\#(at),"wall_time":"2026-02-04T20:00:00.\#(version)Z",\#(created),"source":"user"}"#
        case .voiceNote: #"{\#(head),\#(created),"media_path":"media/\#(version)",\#(at),"duration_ms":1}"#
        case .transcript: #"{\#(head),\#(at),"duration_ms":1,"text":"\#(version)"}"#
        case .action:
            #"{\#(head),"action":"a",\#(created),"status":"\#(["started", "succeeded", "failed"][version % 3])"}"#
        }
    }

    static func file(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }
}

/// Some devices that append to their own version of a file and sometimes merge another's, as sync tools make
/// them.
struct MergeHistory {
    private(set) var versions: [[String]]
    /// The lines of the same id that stood in the version to which each line was appended.
    private(set) var past: [String: Set<String>] = [:]

    private let kind: RecordKind
    private var random: SeededRandom
    private var count = 0
    /// What a line's id, time and offset are.
    private var facts: [String: (id: Int, time: Int)] = [:]

    init(_ kind: RecordKind, seed: UInt64, devices: Int = 3, steps: Int = 24) throws {
        self.kind = kind
        random = SeededRandom(seed: seed)
        versions = Array(repeating: [], count: devices)
        for _ in 0..<steps { try step() }
    }

    private mutating func step() throws {
        let device = Int.random(in: 0..<versions.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: append(to: device, id: count + 40 * device, time: count)
        case 4..<8: edit(in: device)
        default:
            let other = Int.random(in: 0..<versions.count, using: &random)
            let merged = try VersionMerge(
                kind, file: MergeLines.file(versions[device]),
                copies: [("copy", MergeLines.file(versions[other]))])
            versions[device] = merged.bytes.text.split(separator: "\n").map(String.init)
        }
        count += 1
    }

    /// An edit keeps the time of the record, or has its own.
    private mutating func edit(in device: Int) {
        guard let line = versions[device].randomElement(using: &random), let known = facts[line] else {
            return
        }
        append(to: device, id: known.id, time: Bool.random(using: &random) ? known.time : count)
    }

    private mutating func append(to device: Int, id: Int, time: Int) {
        let line = MergeLines.line(kind, id, time: time, version: Int.random(in: 0..<10_000, using: &random))
        guard facts[line] == nil else { return }
        facts[line] = (id, time)
        past[line] = Set(versions[device].filter { facts[$0]?.id == id })
        versions[device].append(line)
    }

    /// Which device's record a line is a version of.
    func id(of line: String) -> Int? { facts[line]?.id }
}

/// Every order of some elements.
func permutations<Element>(of elements: [Element]) -> [[Element]] {
    guard elements.count > 1 else { return [elements] }
    return elements.indices.flatMap { index in
        var rest = elements
        let first = rest.remove(at: index)
        return permutations(of: rest).map { [first] + $0 }
    }
}
