internal import RecordFormat

/// What was fetched into a library's cache, from where and when: `library/fetched.json`.
///
/// It keeps requests apart, and a removal from being made twice. It can be deleted; then all is asked for once more. It is written when
/// a fetch is done: a time in it is that of a request whose file came as the manifest means it.
///
/// Source: docs/practice.md#the-library.
struct FetchRecord {
    static let fileName = "fetched.json"

    /// How long what was fetched is not asked for again, in milliseconds.
    private static let metadataInterval: Int64 = 300_000
    private static let pathInterval: Int64 = 180_000

    var source: String?
    /// When the manifest was fetched, in milliseconds since 1970.
    var metadata: Int64?
    /// When each file was fetched.
    var paths: [CachePath: Int64] = [:]
    /// The events of the update log whose removals were made, by their times; nil until a fetch was completed. The log of the first one
    /// removes nothing.
    var events: Set<String>?

    /// Nothing was asked of this source yet.
    ///
    /// - Parameter events: Those of the source before: no removal is made again because the address is another.
    init(of source: LibrarySource, events: Set<String>?) {
        self.source = source.description
        self.events = events
    }

    /// Nothing is known of what can't be read.
    init(_ text: [UInt8]) {
        guard let read = try? JSONParser().withParsed(text, { FetchRecord($0) }) else { return }
        self = read
    }

    private init(_ root: JSONValue) {
        source = root[name: "source"]?.string
        metadata = root[name: "metadata_at"]?.integer
        if let times = root[name: "paths"] {
            for (name, value) in times.members {
                guard let path = CachePath(String(decoding: name, as: UTF8.self)) else { continue }
                paths[path] = value.integer
            }
        }
        if let times = root[name: "events"] { events = Set(times.elements.compactMap(\.string)) }
    }

    var text: [UInt8] {
        let text = JSONText.object { object in
            object.member("source", source.map { JSONText($0) })
            object.member("metadata_at", metadata.map { JSONText($0) })
            object.member(
                "paths",
                .object { paths in
                    for (path, time) in self.paths.sorted(by: { $0.key < $1.key }) {
                        paths.member(path.text, JSONText(time))
                    }
                })
            if let events { object.member("events", events.sorted()) }
        }
        return text.bytes + [0x0A]
    }

    func isMetadataRecent(at now: Timestamp) -> Bool { Self.isRecent(metadata, Self.metadataInterval, now) }
    func isRecent(_ path: CachePath, at now: Timestamp) -> Bool {
        Self.isRecent(paths[path], Self.pathInterval, now)
    }

    /// A time that is to come is that of a clock that was set back.
    private static func isRecent(_ time: Int64?, _ interval: Int64, _ now: Timestamp) -> Bool {
        time.map { (0..<interval).contains(now.milliseconds(since: Timestamp(milliseconds: $0))) } ?? false
    }
}
