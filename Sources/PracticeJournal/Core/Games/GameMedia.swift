internal import RecordFormat

/// What a library has to read and to look at for a game: its rulesheet, its playfield and its videos.
///
/// Source: docs/spec/practice.md#the-library.
package struct GameMedia: Sendable, Equatable {
    package var rulesheet = Reference()
    package var playfield = Reference()
    /// In the order of the library.
    package var videos: [Video] = []

    /// Where something is.
    package struct Reference: Sendable, Equatable {
        /// On the web: `http` or `https`.
        package var url: String?
        /// In the cache beside the library: a path below `library/`.
        package var file: String?
    }

    package struct Video: Sendable, Equatable {
        /// `tutorial`, `gameplay`, or another word of a newer app.
        var kind: String
        var label: String?
        package var url: String?
    }

    init() {}

    func count(of kind: String) -> Int { videos.count { $0.kind == kind } }
}

extension GameMedia {
    /// - Parameter item: A game as a library has it, with names of its third version or of an older one; where a newer member is missing,
    ///   the older one is read.
    init(_ item: JSONValue) {
        let assets = item[name: "assets"]
        rulesheet = Reference(
            url: item.url("rulesheet_url", "rulesheetUrl", "rulesheetURL"),
            file: item.file("rulesheetLocal", "rulesheet_local_practice", "rulesheet_local_legacy")
                ?? assets?.file("rulesheet_local_practice", "rulesheet_local_legacy"))
        playfield = Reference(
            url: item.url("playfield_image_url", "playfieldImageUrl", "playfieldImageURL"),
            file: item.file("playfieldLocal", "playfield_local_practice", "playfield_local_legacy")
                ?? assets?.file("playfield_local_practice", "playfield_local_legacy"))
        for video in item[name: "videos"]?.elements ?? item.elements where video.kind == .object {
            videos.append(
                Video(
                    kind: video[name: "kind"]?.string ?? "",
                    label: video[name: "label"]?.string?.trimmedOrNil, url: video.url("url")))
        }
    }
}

extension JSONValue {
    /// The first of these members that is an address on the web. Others, such as `javascript:`, are not handed on.
    fileprivate func url(_ names: StaticString...) -> String? {
        for name in names {
            guard let text = self[name: name]?.string?.trimmedOrNil else { continue }
            let scheme = text.prefix { $0 != ":" }.lowercased()
            if ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") {
                return text
            }
        }
        return nil
    }

    /// The first of these members that is a path in the cache.
    fileprivate func file(_ names: StaticString...) -> String? {
        for name in names {
            if let path = self[name: name]?.string.flatMap(CachePath.init) { return path.text }
        }
        return nil
    }
}
