import Foundation
import ProgramHarness
import SystemPackage
import TestSupport
import TraceFiles

/// Does to the directories below a root what people, programs and sync tools do, in an order that dice decide. What can't
/// be done, because something is not there, is not done.
struct RandomTree {
    private let root: FilePath
    /// Where what is moved out lies until it is moved in again.
    private let outside: FilePath
    private var dice: SeededRandom

    init(_ scratch: Scratch, _ dice: SeededRandom) throws {
        root = FilePath(scratch.sessions)
        outside = FilePath("\(scratch.path)/outside")
        self.dice = dice
        try scratch.makeDirectory("outside")
    }

    /// Where sessions lie: few, so that they meet; one in another, some deep, some hidden, one of bytes that are no text.
    private static let places: [FilePath] = [
        "a", "a", "b", "b", "two words", "été", FilePath(bytes: [0x73, 0xFF]), "band/one", "band/two",
        "band/2026/so/deep", "a/nested", "band/one/in/it", ".stversions/a", "band/.b.trace-new",
    ]
    private static let files: [FilePath.Component] = [
        "markers.jsonl", "markers.jsonl", "markers.jsonl", "markers.jsonl", "voice_notes.jsonl",
        "timeline.jsonl",
        "transcript.jsonl", "actions.jsonl", "session.json",
    ]

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &dice) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[number(0..<values.count)] }
    private mutating func place() -> FilePath { root.pushing(pick(Self.places)) }

    /// Does something, and says what.
    mutating func step() -> String {
        let place = place()
        let name = pick(Self.files)
        let file = place.appending(name)
        switch number(0..<40) {
        case 0..<10: return "append \(append(to: file))"
        case 10: return "tear \(file): \(write(text(of: name).dropLast(number(1..<9)), to: file, O_APPEND))"
        case 11: return "rewrite \(file): \(write(text(of: name), to: file, O_TRUNC))"
        case 12: return "truncate \(dice.truncate(file, below: 400))"
        case 13..<16: return "edit \(dice.changeByte(of: file))"
        case 16: return "edit \(dice.changeByte(of: file)) and append \(append(to: file))"
        case 17..<19: return "replace \(replace(file))"
        case 19: return "age \(file): \(age(file))"
        case 20: return "delete \(file): \(file.withPlatformString { unlink($0) })"
        case 21:
            _ = file.withPlatformString { unlink($0) }
            return "recreate \(file): \(write(text(of: name), to: file, O_CREAT))"
        case 22..<27: return "make \(make(place))"
        case 27: return "move out \(place): \(move(place, to: outside.appending("\(number(0..<4))")))"
        case 28, 29: return "move in \(place): \(move(outside.appending("\(number(0..<4))"), to: place))"
        case 30: return "rename \(place) \(rename(place, over: self.place()))"
        case 31: return "exchange \(place): \(exchange(place, self.place()))"
        case 32: return "rename band: \(move(root.appending("band"), to: root.appending("b")))"
        case 33:
            remove(place)
            return "remove \(place)"
        case 34: return "conflict copy \(toggle(place.appending(pick(Self.copies))))"
        case 35: return "media \(toggle(place.appending("media").appending(pick(["a.m4a", "b.m4a"]))))"
        case 36: return "link \(link(file))"
        case 37: return "churn \(churn(place))"
        case 38 where number(0..<2) == 0: return "grow \(grow(place.appending("markers.jsonl")))"
        default:
            remove(place)
            return "remove and make \(make(place))"
        }
    }

    // MARK: - Files

    private static let copies: [FilePath.Component] = [
        "markers.sync-conflict-20260204-120000-ABCDEFG.jsonl", "markers 2.jsonl",
        "session (conflicted copy 2026-02-04 120000).json",
    ]

    private mutating func append(to file: FilePath) -> String {
        guard let name = file.lastComponent, name != "session.json" else { return "nothing" }
        return
            "\(file): \(write((0..<number(1..<4)).map { _ in line(of: name) }.joined(), to: file, O_APPEND))"
    }

    /// Another file takes the name, as sync tools do it; it is old, or the same with a line more.
    private mutating func replace(_ file: FilePath) -> String {
        guard let name = file.lastComponent else { return "nothing" }
        let temporary = file.removingLastComponent().appending(".syncthing.tmp")
        let old = pick([true, false]) ? contents(file).map { String(decoding: $0, as: UTF8.self) } : nil
        let more = name == "session.json" ? "" : line(of: name)
        guard write(old.map { $0 + more } ?? text(of: name), to: temporary, O_CREAT | O_TRUNC) == 0 else {
            return "nothing"
        }
        if pick([true, false]) { _ = age(temporary) }
        return "\(file): \(move(temporary, to: file))"
    }

    private mutating func age(_ file: FilePath) -> Int32 {
        let time = timespec(tv_sec: 1_770_000_000 + number(0..<100_000), tv_nsec: 0)
        return file.withPlatformString { utimensat(AT_FDCWD, $0, [time, time], AT_SYMLINK_NOFOLLOW) }
    }

    /// A link in the place of a file: to one outside, or to nothing. Nobody writes through it, for no event tells of that.
    private mutating func link(_ file: FilePath) -> String {
        // Never in a circle: what can't be read is looked at again and again, and never comes to rest.
        let target = pick(["\(outside)/far.jsonl", "\(outside)/nowhere"])
        write(text(of: "markers.jsonl"), to: FilePath("\(outside)/far.jsonl"), O_CREAT | O_EXCL)
        let temporary = file.removingLastComponent().appending(".link")
        guard temporary.withPlatformString({ symlink(target, $0) }) == 0 else { return "nothing" }
        return "\(file) to \(target): \(move(temporary, to: file))"
    }

    private func toggle(_ file: FilePath) -> String {
        let isGone = file.withPlatformString { unlink($0) } == 0
        return isGone ? "gone \(file)" : "\(file): \(write(Self.marker(1), to: file, O_CREAT))"
    }

    /// Files that come and go, and matter to nobody.
    private mutating func churn(_ place: FilePath) -> String {
        for number in 0..<number(1..<30) {
            let file = place.appending(".part\(number)")
            write("x", to: file, O_CREAT)
            _ = file.withPlatformString { unlink($0) }
        }
        return "\(place)"
    }

    /// More lines than are compared right after an event.
    private func grow(_ file: FilePath) -> String {
        guard let count = contents(file)?.count, count < 2 << 20 else { return "nothing" }
        return
            "\(file): \(write((0..<4000).map { Self.marker($0, more: Self.long) }.joined(), to: file, O_APPEND))"
    }

    private static let long = ",\"note\":\"\(String(repeating: "la ", count: 60))\""

    // MARK: - Directories

    /// A whole session at once, deep as it may lie.
    private mutating func make(_ place: FilePath) -> String {
        var directory = root
        for name in place.components.dropFirst(root.components.count) {
            directory.append(name)
            _ = directory.withPlatformString { mkdir($0, 0o777) }
        }
        _ = place.appending("media").withPlatformString { mkdir($0, 0o777) }
        for name: FilePath.Component in ["markers.jsonl", "session.json", "timeline.jsonl"] {
            write(text(of: name), to: place.appending(name), O_CREAT)
        }
        return "\(place)"
    }

    private func move(_ old: FilePath, to new: FilePath) -> Int32 {
        old.withPlatformString { old in new.withPlatformString { Foundation.rename(old, $0) } }
    }

    /// What is there must be empty, so it is removed at times.
    private mutating func rename(_ old: FilePath, over new: FilePath) -> String {
        if old != new, pick([true, false]) { remove(new) }
        return "over \(new): \(move(old, to: new))"
    }

    private func exchange(_ one: FilePath, _ other: FilePath) -> String {
        let aside = outside.appending("aside")
        remove(aside)
        return "\(other): \(move(one, to: aside)) \(move(other, to: one)) \(move(aside, to: other))"
    }

    /// Removes a tree; a link is removed, not followed.
    private func remove(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            _ = path.withPlatformString { unlink($0) }
            return
        }
        var names: [FilePath.Component] = []
        try? OpenDirectory(path).forEachName { names.append($0) }
        for name in names { remove(path.appending(name)) }
        _ = path.withPlatformString { rmdir($0) }
    }

    // MARK: - Bytes

    private func contents(_ file: FilePath) -> Data? {
        FileManager.default.contents(atBytes: Data(file.bytes))
    }

    /// - Returns: 0 where the file could be opened.
    @discardableResult
    private func write(_ text: some StringProtocol, to file: FilePath, _ flags: Int32) -> Int32 {
        let descriptor = file.withPlatformString { open($0, O_WRONLY | O_NOFOLLOW | flags, 0o666) }
        guard descriptor >= 0 else { return -1 }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        return Foundation.write(descriptor, bytes, bytes.count) == bytes.count ? 0 : -1
    }

    private mutating func text(of name: FilePath.Component) -> String {
        guard name == "session.json" else { return (0..<number(0..<8)).map { _ in line(of: name) }.joined() }
        let title = pick(["Late set", "Łódź", "Riff & Raff", ""])
        let end = pick(["", #","end_time":"2026-02-04T19:01:00Z","duration_ms":60000"#])
        let text = """
            {"id":"\(Self.id(number(0..<6)))","title":"\(title)","created_at":"2026-02-04T19:00:00Z",
            "updated_at":"2026-02-04T19:00:00Z","start_time":"2026-02-04T\(pick(["19", "20"])):00:00.000Z",
            "status":"\(end.isEmpty ? "active" : "closed")"\(end),"timeline_path":"timeline.jsonl",
            "markers_path":"markers.jsonl","transcript_path":null,"voice_notes_path":null,"digest_path":null,"media":[]}

            """
        return number(0..<12) == 0 ? String(text.dropLast(9)) : text
    }

    private mutating func line(of name: FilePath.Component) -> String {
        let (id, offset) = (number(0..<12), number(0..<90) * 1000)
        if number(0..<15) == 0 { return pick(["\n", "nonsense\n", "[1]\r\n", "\u{0}\u{0}\n"]) }
        let other = Self.id(number(0..<12))
        return switch name {
        case "voice_notes.jsonl":
            """
            {"id":"\(Self.id(id))","created_at":"2026-02-04T19:00:01Z","media_path":"media/\(pick(["a", "b"])).m4a",\
            "offset_ms":\(offset),"duration_ms":500,"marker_id":"\(other)","transcript":"\(pick(Self.words))"}

            """
        case "timeline.jsonl":
            """
            {"id":"\(Self.id(id))","kind":"\(pick(["session_start", "session_end", "odd"]))","offset_ms":\(offset),\
            "wall_time":"2026-02-04T19:00:00Z","created_at":"2026-02-04T19:00:00Z","source":"system"}

            """
        case "transcript.jsonl":
            "{\"id\":\"\(Self.id(id))\",\"offset_ms\":\(offset),\"duration_ms\":500,\"text\":\"\(pick(Self.words))\"}\n"
        case "actions.jsonl":
            """
            {"id":"\(Self.id(id))","action":"transcribe","created_at":"2026-02-04T19:00:01Z",\
            "status":"\(pick(["started", "succeeded", "failed"]))"}

            """
        default:
            Self.marker(
                id, at: offset,
                more: pick([
                    "", ",\"label\":\"\(pick(Self.words))\"", #","tags":["highlight"]"#,
                    ",\"voice_note_id\":\"\(other)\"",
                ]))
        }
    }

    private static let words = ["drop", "café riff", "fix the bridge", "slow", "la la"]

    private static func id(_ number: Int) -> String {
        let digits = String(number)
        return "01ARZ3NDEKTSV4" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private static func marker(_ id: Int, at offset: Int = 1000, more: String = "") -> String {
        """
        {"id":"\(Self.id(id))","offset_ms":\(offset),"created_at":"2026-02-04T19:00:01Z","source":"user"\(more)}

        """
    }
}

extension FilePath {
    /// The path of these bytes, which hold no NUL.
    fileprivate init(bytes: [UInt8]) {
        self.init(platformString: bytes.map { CInterop.PlatformChar(truncatingIfNeeded: $0) } + [0])
    }
}
