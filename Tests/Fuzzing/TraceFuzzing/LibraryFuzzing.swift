internal import PracticeJournal
internal import RecordFormat

/// The readers of a game library and of its cache; the first byte of the input chooses the file.
struct LibraryFuzzing {
    private let file: UInt8
    private let bytes: [UInt8]

    init(_ input: [UInt8]) {
        file = (input.first ?? 0) % 3
        bytes = Array(input.dropFirst())
    }

    func check() throws {
        do {
            switch file {
            case 0:
                // What is not JSON is a finding of its own.
                guard let library = try? JSONParser().withParsed(bytes, { GameLibrary($0) }) else { return }
                try checkLibrary(library)
            case 1: try checkManifest(CacheManifest(bytes))
            default:
                for path in try CacheUpdateLog(bytes).events.flatMap(\.removed) {
                    try requireInside(path.text)
                }
            }
        } catch is FormatError {
            // Input that is not such a file is refused.
        }
    }

    private func checkLibrary(_ library: GameLibrary) throws {
        let rows = LibraryQuery().rows(of: library, played: [])
        try require(rows.map(\.game) == library.games, "a game is lost")
        for row in rows {
            try require(!row.game.key.isEmpty && !row.game.id.isEmpty, "a game without an id")
            try require(
                library.canonical(row.game.key).id == row.game.key, "a key is not its own canonical form")
            let media = row.game.media
            for url in [media.rulesheet.url, media.playfield.url] + media.videos.map(\.url) {
                let scheme = url?.lowercased().prefix { $0 != ":" }
                try require(
                    scheme == nil || scheme == "http" || scheme == "https", "another address: \(url ?? "")")
            }
            for file in [media.rulesheet.file, media.playfield.file].compactMap(\.self) {
                try requireInside(file)
            }
        }
        for order in LibraryQuery.Order.allCases {
            var query = LibraryQuery()
            query.order = order
            try require(query.rows(of: library, played: []).count == rows.count, "an order loses a game")
        }
    }

    private func checkManifest(_ manifest: CacheManifest) throws {
        for (path, file) in manifest.files {
            try requireInside(path.text)
            try require(file.checksum.utf8.count == 64, "a checksum of another length")
        }
    }

    private func requireInside(_ path: String) throws {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        try require(
            !names.isEmpty && names.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") },
            "a path leads out of the cache: \(path)")
        try require(CachePath(path)?.text == path, "a path is not its own form: \(path)")
    }
}
