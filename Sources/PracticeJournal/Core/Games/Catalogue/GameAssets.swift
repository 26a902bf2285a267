internal import RecordFormat

/// What the newest app's files have to read and to look at.
///
/// Source: docs/spec/practice.md#what-there-is-to-read-and-to-see.
struct GameAssets: Sendable {
    private var rulesheets: [String: [Rulesheet]]?
    private var videos: [String: [Video]]?
    private var playfields: [String: Playfield]?
    private var infoKeys: Set<String> = []

    init() {}

    private struct Rulesheet: Sendable {
        let rank: Int
        let priority: Int
        let label: String
        let url: String?
        let file: String?
    }

    private struct Video: Sendable {
        let video: GameMedia.Video
        let priority: Int
        let provider: String
        /// The kind, and by what two videos are the same.
        let identity: [String]
    }

    private struct Playfield: Sendable {
        let url: String?
        let file: String?
    }

    // MARK: - Reading

    /// - Parameter root: What the file has.
    mutating func read(_ file: LibraryDataFile, _ root: JSONValue) {
        switch file {
        case .rulesheets: rulesheets = Self.byGame(root) { Self.rulesheet($0) }
        case .videos: videos = Self.byGame(root) { Self.video($0) }
        case .gameInfo: infoKeys = Set(Self.byGame(root) { _ in true }.keys)
        case .playfields: readPlayfields(root)
        default: break
        }
    }

    /// Of the records that are to be seen.
    private static func byGame<Value>(
        _ root: JSONValue, _ make: (JSONValue) -> Value?
    ) -> [String: [Value]] {
        var found: [String: [Value]] = [:]
        for record in root.records
        where record[name: "isActive"]?.boolean != false && record[name: "isHidden"]?.boolean != true {
            guard let id = record.text("opdbId"), let value = make(record) else { continue }
            found[id, default: []].append(value)
        }
        return found
    }

    private static func rulesheet(_ record: JSONValue) -> Rulesheet? {
        let url = record.url("url")
        let file = record.file("localPath")
        guard url != nil || file != nil else { return nil }
        let label = record.said("label") ?? ""
        let provider = RulesheetProvider(record.said("provider") ?? "", label: label, url: url)
        return Rulesheet(
            rank: provider.rawValue, priority: record.integer("priority") ?? 0,
            label: provider.label ?? label, url: url, file: file)
    }

    private static func video(_ record: JSONValue) -> Video? {
        guard let url = record.url("url") else { return nil }
        let kind = record.said("kind") ?? ""
        return Video(
            video: GameMedia.Video(kind: kind, label: record.said("label"), url: url),
            priority: record.integer("priority") ?? 0, provider: record.said("provider") ?? "",
            identity: [kind, youTubeID(of: url) ?? url])
    }

    /// The last part of the path, or `v` of the query, of an address of YouTube.
    private static func youTubeID(of url: String) -> String? {
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let host = rest.prefix { !"/?#".contains($0) }.lowercased()
        guard
            ["youtube.com", "youtu.be", "youtube-nocookie.com"].contains(where: {
                host == $0 || host.hasSuffix("." + $0)
            })
        else { return nil }
        let address = rest.dropFirst(host.count).prefix { $0 != "#" }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let asked = parts.count > 1 ? parts[1].split(separator: "&") : []
        if let id = asked.first(where: { $0.hasPrefix("v=") })?.dropFirst(2), !id.isEmpty {
            return String(id)
        }
        return parts.first?.split(separator: "/").last.map(String.init)
    }

    private mutating func readPlayfields(_ root: JSONValue) {
        var found: [String: Playfield] = [:]
        for record in root.records {
            let playfield = Playfield(
                url: record.url("playfieldSourceUrl"),
                file: record.file("playfieldLocalPath").map(Self.webPicture))
            guard playfield.url != nil || playfield.file != nil else { continue }
            let own = [record.text("sourceOpdbMachineId"), record.text("practiceIdentity")]
            for id in own.compactMap(\.self) + record.texts("coveredAliasIds") where found[id] == nil {
                found[id] = playfield
            }
        }
        playfields = found
    }

    /// The picture of full size: the path of a smaller one, or of another type, names it, too.
    private static func webPicture(_ path: String) -> String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        var stem = path
        if let dot = path[end...].lastIndex(of: ".") { stem = String(path[..<dot]) }
        for size in ["_700", "_1400"] where stem.hasSuffix(size) { stem.removeLast(size.count) }
        return stem + ".webp"
    }

    // MARK: - Asking

    /// What there is for a game. Where a whole file is not there, what the older library has counts.
    ///
    /// - Parameter listed: The machine that is asked for.
    func media(of key: String, listed: CatalogueMachine?, older: GameMedia?) -> GameMedia {
        var media = older ?? GameMedia()
        if let rulesheets {
            let sheets = (rulesheets[key] ?? []).sorted { one, other in
                let urls = (one.url ?? "", other.url ?? "")
                return (one.rank, one.priority, one.label, urls.0)
                    < (other.rank, other.priority, other.label, urls.1)
            }
            media.rulesheets = sheets.compactMap { sheet in
                sheet.url.map { GameMedia.Link(label: sheet.label.trimmedOrNil, url: $0) }
            }
            media.rulesheet = GameMedia.Reference(
                url: media.rulesheets.first?.url, file: sheets.lazy.compactMap(\.file).first)
        }
        if let videos { media.videos = Self.shown(videos[key] ?? []) }
        if let playfields {
            let ids = [listed?.id, key, GameIdentities.group(of: key)].compactMap(\.self)
            let found = ids.lazy.compactMap { playfields[$0] }.first
            media.playfield = GameMedia.Reference(url: found?.url, file: found?.file)
        }
        if media.playfield.url == nil, media.playfield.file == nil {
            media.playfield.url = listed?.playfieldURL
        }
        media.gameInfo = infoKeys.contains(key) ? CachePath("pinball/gameinfo/\(key)-gameinfo.md")?.text : nil
        return media
    }

    /// Each video once, in the order in which they are shown.
    private static func shown(_ videos: [Video]) -> [GameMedia.Video] {
        func order(_ kind: String) -> Int {
            ["tutorial", "gameplay", "competition"].firstIndex(of: kind.lowercased()) ?? 3
        }
        let ranked = videos.sorted { one, other in
            let first = (order(one.video.kind), one.priority, one.video.label ?? "", one.provider)
            let second = (order(other.video.kind), other.priority, other.video.label ?? "", other.provider)
            return first == second ? one.video.url ?? "" < other.video.url ?? "" : first < second
        }
        var seen: Set<[String]> = []
        return ranked.filter { seen.insert($0.identity).inserted }.map(\.video).sorted { one, other in
            let kinds = (order(one.kind), order(other.kind))
            if kinds.0 != kinds.1 { return kinds.0 < kinds.1 }
            let labels = (NaturalOrder(one.label ?? ""), NaturalOrder(other.label ?? ""))
            return labels.0 == labels.1 ? one.url ?? "" < other.url ?? "" : labels.0 < labels.1
        }
    }
}

/// Who wrote a rulesheet, in the order in which they are offered.
private enum RulesheetProvider: Int {
    case local, tf, prof, bob, papa, pp, opdb, other

    /// - Parameters:
    ///   - label: That of the rulesheet; with its address it says who wrote it where the provider is not a known one.
    init(_ provider: String, label: String, url: String?) {
        let known: [String: RulesheetProvider] = [
            "local": .local, "tf": .tf, "prof": .prof, "pinprof": .prof, "bob": .bob, "papa": .papa,
            "pp": .pp, "opdb": .opdb,
        ]
        let host = (url ?? "").split(separator: "/", maxSplits: 2).dropFirst().first?.lowercased() ?? ""
        let hosts: [(String, RulesheetProvider)] = [
            ("tiltforums.com", .tf), ("silverballmania.com", .bob), ("pinballprimer", .pp),
            ("pinball.org", .papa), ("opdb.org", .opdb),
        ]
        let labels: [(String, RulesheetProvider)] = [
            ("(tf)", .tf), ("(prof)", .prof), ("(pinprof)", .prof), ("(bob)", .bob), ("(papa)", .papa),
            ("(pp)", .pp), ("(opdb)", .opdb), ("(local)", .local),
        ]
        let text = label.lowercased()
        self =
            known[provider.lowercased()] ?? hosts.first { host.contains($0.0) }?.1
            ?? labels.first { text.contains($0.0) }?.1 ?? .other
    }

    /// What a rulesheet is called; nil if its own label says it.
    var label: String? {
        switch self {
        case .local: "Rulesheet"
        case .tf: "Rulesheet (TF)"
        case .prof: "Rulesheet (PinProf)"
        case .bob: "Rulesheet (Bob)"
        case .papa: "Rulesheet (PAPA)"
        case .pp: "Rulesheet (PP)"
        case .opdb: "Rulesheet (OPDB)"
        case .other: nil
        }
    }
}

/// A text as people order it: runs of digits by their number, letters ignoring case.
private struct NaturalOrder: Comparable {
    private let parts: [(text: String, number: Int?)]

    init(_ text: String) {
        var parts: [(text: String, number: Int?)] = []
        var rest = Substring(text.lowercased())
        while let first = rest.first {
            let isDigit = first.isASCII && first.isNumber
            let run = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
            parts.append((String(run), isDigit ? Int(run) : nil))
            rest = rest.dropFirst(run.count)
        }
        self.parts = parts
    }

    static func == (one: NaturalOrder, other: NaturalOrder) -> Bool {
        !(one < other) && !(other < one)
    }

    static func < (one: NaturalOrder, other: NaturalOrder) -> Bool {
        for (part, peer) in zip(one.parts, other.parts) {
            if let number = part.number, let wanted = peer.number {
                if number != wanted { return number < wanted }
            } else if part.text != peer.text {
                return part.text < peer.text
            }
        }
        return one.parts.count < other.parts.count
    }
}
