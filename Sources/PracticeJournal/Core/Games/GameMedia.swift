internal import RecordFormat

/// What a library has to read and to look at for a game: its rulesheets, its playfield, its videos and a sheet about it.
///
/// Source: docs/spec/practice.md#the-library.
package struct GameMedia: Sendable, Equatable {
    /// The first of them, and the file of the first that has one.
    package var rulesheet = Reference()
    /// All that are on the web, in the order in which they are offered.
    var rulesheets: [Link] = []
    package var playfield = Reference()
    /// The sheet about the game in the cache: a path below `library/`.
    var gameInfo: String?
    /// In the order of the library.
    package var videos: [Video] = []

    /// Where something is.
    package struct Reference: Sendable, Equatable {
        /// On the web: `http` or `https`.
        package var url: String?
        /// In the cache beside the library: a path below `library/`.
        package var file: String?
    }

    /// Something on the web.
    struct Link: Sendable, Equatable {
        var label: String?
        var url: String
    }

    package struct Video: Sendable, Equatable {
        /// `tutorial`, `gameplay`, `competition`, or another word of a newer app.
        var kind: String
        var label: String?
        package var url: String?
    }

    init() {}

    /// How many videos are of a kind, or say so in their name.
    func count(of kind: String) -> Int {
        videos.count {
            $0.kind.lowercased().contains(kind) || $0.label?.lowercased().contains(kind) ?? false
        }
    }
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
        rulesheets = rulesheet.url.map { [Link(url: $0)] } ?? []
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
