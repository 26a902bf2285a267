internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The library in a journal's directory: the names of the games, and their ids.
enum PracticeLibraryFile {
    /// Its games; none where it is missing or can't be read, which is a finding of its own (``findings(of:)``).
    ///
    /// - Throws: ``FormatError`` with `.memory`.
    static func library(of snapshot: JournalSnapshot) throws -> GameLibrary {
        guard snapshot.single == nil,
            let file = try? snapshot.readFile(.practiceLibrary)
        else { return GameLibrary() }
        let parser = try JSONParser()
        return (try? parser.withParsed(file.contents) { GameLibrary($0) }) ?? GameLibrary()
    }

    /// As ``library(of:)``, of a journal's directory; one that the system does not give out is an error: a write would take a game's
    /// short name for its id.
    ///
    /// - Throws: ``FileError``, ``FormatError`` with `.memory`.
    static func library(in directory: OpenDirectory) throws -> GameLibrary {
        guard try directory.statusIfPresent(of: folder, followingLinks: false)?.kind == .directory,
            let file = try directory.openDirectory(folder).readFile(file)
        else { return GameLibrary() }
        let parser = try JSONParser()
        return (try? parser.withParsed(file.contents) { GameLibrary($0) }) ?? GameLibrary()
    }

    private static let folder: FilePath.Component = "library"
    private static let file: FilePath.Component = "pinball_library_v3.json"

    /// What keeps it from being read, and whether it is the one that a manifest means.
    ///
    /// - Parameter manifest: That of the cache; nil if there is none.
    /// - Throws: ``FormatError`` with `.memory`.
    static func findings(of bytes: [UInt8], besides manifest: [UInt8]?) throws -> [Finding] {
        let checker = try RecordChecker(schema: schema, strictness: .readable)
        var findings: [Finding] = []
        // An older library is an array; what is in it has no declaration.
        let isArray = bytes.first { $0 > 0x20 } == UInt8(ascii: "[")
        PaddedBytes.withLine(bytes) { line in
            _ = checker.check(line) { if !isArray || $0.rule != .notAnObject { findings.append($0) } }
        }
        if let manifest = manifest.flatMap({ try? CacheManifest($0) }),
            let expected = manifest.library.flatMap({ manifest.files[$0]?.checksum }),
            expected != OpenedDocument.checksum(of: bytes)
        {
            let place = Finding.Place(file: "library/\(LibraryCacheNames.library)")
            findings.append(Finding(.practiceCacheHash, at: place, "its SHA-256 is not that of the manifest"))
        }
        return findings
    }

    /// What keeps the manifest from being read.
    static func findings(ofManifest bytes: [UInt8]) -> [Finding] {
        do {
            _ = try CacheManifest(bytes)
            return []
        } catch {
            let place = Finding.Place(file: "library/\(CacheManifest.fileName)")
            return [Finding(.jsonSyntax, at: place, error.message)]
        }
    }

    private static let schema = RecordSchema(
        .practiceHeader, in: "library/pinball_library_v3.json", isDocument: true,
        [.optional("version", .object)], columns: RecordColumns())
}
