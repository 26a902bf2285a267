package import RecordFormat
internal import TraceText

/// What was looked at in the library: browsing, rule sheets, playfields, videos.
///
/// Source: docs/spec/practice.md#the-librarys-log.
package struct LogEntry: Sendable, Equatable {
    package var id: String
    var game: String
    var gameName: String
    var kind: Word<LogKind>
    var detail: String?
    /// Milliseconds since 1970.
    var time: Double

    init(
        id: String, game: String, gameName: String, kind: LogKind, detail: String? = nil, time: Double
    ) {
        self.id = id
        self.game = game
        self.gameName = gameName
        self.kind = Word(kind)
        self.detail = detail
        self.time = time
    }

    /// Either of the two forms: that of iOS, with seconds since 2001, and that of Android. Nil if it is not one of them.
    init?(_ value: JSONValue, _ library: GameLibrary) {
        guard let id = value[name: "id"]?.string, let kind = value[name: "kind"]?.string,
            let game = (value[name: "gameID"] ?? value[name: "gameSlug"])?.string
        else { return nil }
        if let time = value[name: "timestampMs"]?.number {
            self.time = time
        } else if let time = value[name: "timestamp"]?.number {
            self.time = DateUnit.appleSeconds.read(time).milliseconds
        } else {
            return nil
        }
        self.id = id
        self.game = library.canonical(game).id
        gameName = value[name: "gameName"]?.string ?? library.name(of: self.game)
        self.kind = LogKind(android: kind).map { Word($0) } ?? Word(kind)
        detail = value[name: "detail"]?.string?.trimmedOrNil
    }

    package static func == (one: LogEntry, other: LogEntry) -> Bool {
        one.id == other.id && one.isSameAction(as: other) && one.gameName == other.gameName
            && one.time == other.time
    }

    /// Whether the same was looked at.
    func isSameAction(as other: LogEntry) -> Bool {
        game == other.game && kind.text == other.kind.text && detail == other.detail
    }

    /// For people, without the game.
    var brief: String {
        switch kind.known {
        case .browseGame: "Browsed in Library"
        case .openRulesheet: "Opened rulesheet from Library"
        case .openPlayfield: "Opened playfield image from Library"
        case .tapVideo: "Opened \(detail.map { "\($0) " } ?? "")video in Library"
        case nil: kind.text
        }
    }

    /// For people.
    func text(game: String) -> String {
        switch kind.known {
        case .browseGame: "Browsed \(game) in Library"
        case .openRulesheet: "Opened \(game) rulesheet from Library"
        case .openPlayfield: "Opened \(game) playfield image from Library"
        case .tapVideo: "Opened \(detail.map { "\($0) " } ?? "")video for \(game) in Library"
        case nil: "\(kind.text) • \(game)"
        }
    }

    /// In the form of iOS, but for the time, which is in milliseconds since 1970.
    package var json: JSONText {
        JSONText.object { text in
            text.member("id", id)
            text.member("gameID", game)
            text.member("gameName", gameName)
            text.member("kind", kind.text)
            text.member("detail", detail.map { JSONText($0) })
            text.member("timestamp", DocumentNumber.json(time))
        }
    }
}

/// What was looked at.
enum LogKind: String, CaseIterable, Sendable {
    case browseGame, openRulesheet, openPlayfield, tapVideo

    /// What Android calls it.
    var android: String {
        switch self {
        case .browseGame: "browse"
        case .openRulesheet: "rulesheet"
        case .openPlayfield: "playfield"
        case .tapVideo: "video"
        }
    }

    init?(android: String) {
        guard let kind = Self.allCases.first(where: { $0.android == android }) else { return nil }
        self = kind
    }
}

/// The log of the library: an array, newest first.
package struct LibraryLog {
    /// How many entries are kept.
    package static let limit = 500
    /// How soon the same entry may come again, in milliseconds.
    static let repeatDelay = 2000.0

    private let bytes: [UInt8]
    private let elements: [Range<Int>]
    /// Whether it has Android's form.
    private let isAndroid: Bool
    package let entries: [LogEntry]
    /// Where the entries are: the number of each in the array, and its bytes.
    let places: [(number: Int, range: Range<Int>)]

    /// - Parameter bytes: The file; an empty one has no entries.
    /// - Throws: ``FormatError`` with `.jsonMalformed` if it is not one array.
    package init(_ bytes: [UInt8], library: GameLibrary = GameLibrary()) throws(FormatError) {
        let text = bytes.isEmpty ? Array("[]".utf8) : bytes
        self.bytes = text
        var entries: [(number: Int, entry: LogEntry)] = []
        var isAndroid = false
        do {
            let parser = try JSONParser()
            try parser.withParsed(text) { root in
                guard root.kind == .array else {
                    throw FormatError(.jsonMalformed, "the log is not an array", cure: "fix it in an editor")
                }
                isAndroid = root.elements.contains { $0[name: "gameSlug"] != nil }
                entries = root.elements.enumerated().compactMap { number, element in
                    LogEntry(element, library).map { (number, $0) }
                }
            }
            elements = try text.withUnsafeBytes { try JSONScanner.elements(of: $0) }
        } catch let error as FormatError {
            throw error
        } catch {
            throw FormatError(.jsonMalformed, "the log is not JSON", cure: "fix it in an editor")
        }
        self.entries = entries.map(\.entry)
        let elements = elements
        places = entries.map { ($0.number, elements[$0.number]) }
        self.isAndroid = isAndroid
    }

    /// The log with one more entry, and without the oldest beyond ``limit``; nil if the same was logged just before.
    package func adding(_ entry: LogEntry) -> [UInt8]? {
        let newest = entries.max { $0.time < $1.time }
        if let newest, newest.isSameAction(as: entry), abs(entry.time - newest.time) < Self.repeatDelay {
            return nil
        }
        var editor = ArrayEditor(bytes, whole, elements)
        editor.insert(written(entry).bytes, before: 0)
        for index in elements.indices.dropFirst(Self.limit - 1) { editor.remove(index) }
        let text = editor.text(RecordLayout())
        return Array(bytes[..<whole.lowerBound]) + text + Array(bytes[whole.upperBound...])
    }

    /// The entries by their ids, as they are written, newest first.
    var spelled: [(id: String, text: [UInt8])] {
        zip(entries, places).map { ($0.id, JSONText.compacted(Array(bytes[$1.range]))) }
    }

    /// The log with entries before the others that it had, as they were written.
    func restoring(_ texts: [[UInt8]]) -> [UInt8] {
        var editor = ArrayEditor(bytes, whole, elements)
        for text in texts { editor.insert(text, before: 0) }
        return Array(bytes[..<whole.lowerBound]) + editor.text(RecordLayout())
            + Array(bytes[whole.upperBound...])
    }

    /// The log without some of its entries; nil if there are no such.
    func removing(where isRemoved: (LogEntry) -> Bool) -> [UInt8]? {
        let gone = zip(entries, places).filter { isRemoved($0.0) }.map { $0.1.number }
        guard !gone.isEmpty else { return nil }
        var editor = ArrayEditor(bytes, whole, elements)
        for index in gone { editor.remove(index) }
        return Array(bytes[..<whole.lowerBound]) + editor.text(RecordLayout())
            + Array(bytes[whole.upperBound...])
    }

    /// Where the array is, without the white space around it.
    private var whole: Range<Int> {
        let start = bytes.firstIndex(of: UInt8(ascii: "[")) ?? 0
        return start..<(bytes.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? bytes.count)
    }

    /// An entry in the form that the others have.
    func written(_ entry: LogEntry) -> JSONText {
        JSONText.object { text in
            text.member("id", entry.id)
            text.member(isAndroid ? "gameSlug" : "gameID", entry.game)
            text.member("gameName", entry.gameName)
            text.member("kind", isAndroid ? entry.kind.known?.android ?? entry.kind.text : entry.kind.text)
            text.member("detail", entry.detail.map { JSONText($0) })
            if isAndroid {
                text.member("timestampMs", DocumentNumber.json(entry.time))
            } else {
                text.member(
                    "timestamp", DocumentNumber.json((entry.time - DateUnit.appleEpoch * 1000) / 1000))
            }
        }
    }
}
