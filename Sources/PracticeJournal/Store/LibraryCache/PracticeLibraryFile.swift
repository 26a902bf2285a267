internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The library in a journal's directory: the names of the games, and their ids.
enum PracticeLibraryFile {
    /// Its games; none where it is missing or can't be read, which is a finding of its own (``findings(in:_:besides:)``).
    ///
    /// - Throws: ``FormatError`` with `.memory`.
    static func library(of snapshot: JournalSnapshot) throws -> GameLibrary {
        guard snapshot.single == nil else { return GameLibrary() }
        return try library { file in
            guard let index = LibraryDataFile.games.firstIndex(of: file) else { return nil }
            return (try? snapshot.readFile(FileSlot.games[index]))?.contents
        }
    }

    /// As ``library(of:)``, of a journal's directory; one that the system does not give out is an error: a write would take a game's
    /// short name for its id.
    ///
    /// - Parameter hasMedia: Whether what there is to read and to see is wanted, too. The newest app has files of their own for it, which
    ///   most that is asked does not need.
    /// - Throws: ``FileError``, ``FormatError`` with `.memory`.
    static func library(in directory: OpenDirectory, hasMedia: Bool = false) throws -> GameLibrary {
        guard let folder = try folder(of: directory) else { return GameLibrary() }
        return try library(hasMedia: hasMedia) { try contents(of: $0, in: folder) }
    }

    private static func library(
        hasMedia: Bool = false, _ read: (LibraryDataFile) throws -> [UInt8]?
    ) throws -> GameLibrary {
        var files: [LibraryDataFile: [UInt8]] = [:]
        for file in LibraryDataFile.games where hasMedia || !file.isMedia { files[file] = try read(file) }
        return try GameLibrary(files)
    }

    private static func contents(
        of file: LibraryDataFile, in folder: OpenDirectory, limit: Int64 = 64 << 20
    ) throws -> [UInt8]? {
        guard let name = FilePath.Component(file.rawValue) else { return nil }
        return try folder.readFile(name, limit: limit)?.contents
    }

    private static func folder(of directory: OpenDirectory) throws -> OpenDirectory? {
        guard let name = FilePath.Component(LibraryCacheNames.folder),
            try directory.statusIfPresent(of: name, followingLinks: false)?.kind == .directory
        else { return nil }
        return try directory.openDirectory(name)
    }

    // MARK: - Findings

    /// What keeps a file from being read, which of its records are left out, and whether it is the one that a manifest means.
    ///
    /// - Parameter manifest: That of the cache; nil if there is none.
    /// - Throws: ``FormatError`` with `.memory`.
    static func findings(
        in file: LibraryDataFile, _ bytes: [UInt8], besides manifest: [UInt8]?
    ) throws -> [Finding] {
        let name = "\(LibraryCacheNames.folder)/\(file.rawValue)"
        let schema = RecordSchema(
            .practiceHeader, in: name, isDocument: true, [.optional("version", .object)],
            columns: RecordColumns())
        let checker = try RecordChecker(schema: schema, strictness: .readable)
        var findings: [Finding] = []
        // The catalogue is an array, and so is an older library; what is in one has no declaration.
        let isArray = bytes.first { $0 > 0x20 } == UInt8(ascii: "[")
        PaddedBytes.withLine(bytes) { line in
            _ = checker.check(line) { if !isArray || $0.rule != .notAnObject { findings.append($0) } }
        }
        if findings.isEmpty,
            let left = try JSONParser().withParsed(bytes, { LeftRecords(of: file, $0).message })
        {
            findings.append(Finding(.practiceLibraryRecord, at: Finding.Place(file: name), left))
        }
        if LibraryDataFile.primary.contains(file),
            let manifest = manifest.flatMap({ try? CacheManifest($0) }),
            let expected = manifest.path(of: file).flatMap({ manifest.files[$0]?.checksum }),
            expected != OpenedDocument.checksum(of: bytes)
        {
            findings.append(
                Finding(
                    .practiceCacheHash, at: Finding.Place(file: name),
                    "its SHA-256 is not that of the manifest"))
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
}

/// The records of a file that are left out because they lack what they are read by.
private struct LeftRecords {
    /// Nil if there are none.
    let message: String?

    init(of file: LibraryDataFile, _ root: JSONValue) {
        let (required, records) = Self.required(file, root)
        guard !required.isEmpty else {
            message = nil
            return
        }
        var count = 0
        var first: String?
        for (index, record) in records.enumerated() {
            guard let missing = required.first(where: { record.text($0) == nil }) else { continue }
            count += 1
            if first == nil { first = "record \(index + 1) has no \(missing)" }
        }
        message = first.map { count == 1 ? $0 : "\($0), nor have \(count - 1) others all that they need" }
    }

    /// The texts without which a record is not read, and the records.
    private static func required(
        _ file: LibraryDataFile, _ root: JSONValue
    ) -> (members: [StaticString], records: [JSONValue]) {
        switch file {
        case .catalogue: (["opdb_id", "name"], root.records)
        case .rulesheets, .gameInfo: (["opdbId"], root.records)
        case .videos: (["opdbId", "url"], root.records)
        case .playfields: (["practiceIdentity"], root.records)
        case .layout: (["sourceId", "opdbId"], root.records)
        case .importedSources: (["id"], root.records)
        case .machineMappings: (["machine"], root.list("items"))
        case .resolvedTargets: (["game"], root.list("items"))
        default: ([], [])
        }
    }
}
