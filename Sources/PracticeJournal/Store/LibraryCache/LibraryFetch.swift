package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceStore
internal import TraceText

/// Brings a journal's library up to date with a cache elsewhere, when a person asks for it.
///
/// A file is replaced only by bytes whose SHA-256 is the manifest's; what is there stays where something fails.
///
/// Source: practice.md, section 11, "Cache".
package struct LibraryFetch {
    /// Which files are wanted, besides the library itself and those that are in the cache already.
    package var paths: Set<CachePath> = []
    package var wantsAll = false
    /// Whether nothing is written. The manifest is asked for all the same.
    package var isDry = false

    private let journal: FilePath
    private let runtimeDirectory: FilePath?
    private let now: @Sendable () -> Timestamp

    /// The largest library, and the largest other file, in bytes.
    private static let libraryLimit = 16 << 20
    private static let fileLimit = 64 << 20

    /// - Parameter journal: Its directory.
    package init(
        _ journal: FilePath, runtimeDirectory: FilePath?,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.journal = journal
        self.runtimeDirectory = runtimeDirectory
        self.now = now
    }

    /// What came of a file.
    package enum Result: String, Sendable {
        case fetched
        /// It is what the manifest says.
        case current
        /// It was fetched a moment ago, and is not asked for again.
        case recent
        case removed
        case failed
    }

    package struct Report: Sendable {
        package let source: LibrarySource
        /// Whether manifest and update log were fetched a moment ago, and are those that were there.
        package let isMetadataRecent: Bool
        package fileprivate(set) var files: [(path: CachePath, result: Result)] = []
        /// What is wrong with single files, of which what was there stays.
        package fileprivate(set) var failures: [FileError] = []
        /// What of the manifest can't be fetched.
        package let left: [String]
    }

    /// - Parameter source: Nil for the one that was used last.
    /// - Throws: ``FileError``, ``FormatError``: then nothing has changed.
    /// - Note: Durable on return. Killed in between, each file is the old or the new one; the next fetch continues.
    package func run(from source: LibrarySource?) throws -> Report {
        let directory = try OpenDirectory(journal)
        let folder = CacheFolder(directory)
        var record = FetchRecord(
            try folder.contents(of: FetchRecord.fileName, limit: CacheManifest.limit) ?? [])
        guard let source = source ?? record.source.flatMap(LibrarySource.init(remembered:)) else {
            throw FormatError(
                .recordInvalid, "nothing was fetched yet, so there is no address to fetch from",
                hint: "give the address of the cache, or --from DIR")
        }
        let isFirst = record.source == nil
        if record.source != source.description {
            let events = record.events
            record = FetchRecord()
            record.events = events
        }
        let metadata = try metadata(of: source, record, folder)
        let manifest = try CacheManifest(metadata.manifest)
        let events = try metadata.log.map { try CacheUpdateLog($0).events } ?? []
        guard manifest.library != nil else {
            throw FormatError(
                .recordInvalid, "\(CacheManifest.fileName): has no \(LibraryCacheNames.library)",
                hint: "give the address of a pinball library's cache")
        }
        if let unknown = paths.filter({ manifest.files[$0] == nil }).min() {
            throw FormatError(.recordInvalid, "\(CacheManifest.fileName): has no file '\(unknown)'")
        }
        var report = Report(source: source, isMetadataRecent: metadata.isRecent, left: manifest.left)
        let fetched = fetch(manifest, from: source, &record, folder, &report)
        let gone = isFirst ? [] : removals(events, record, manifest)
        guard !isDry else {
            for path in gone where try folder.contents(of: path, limit: Self.fileLimit) != nil {
                report.files.append((path, .removed))
            }
            return report
        }
        record.source = source.description
        if !metadata.isRecent { record.metadata = now().milliseconds }
        record.events = Set(events.map(\.generatedAt))
        try DirectoryLock.holding(journal, runtimeDirectory: runtimeDirectory) { lock in
            let folder = CacheFolder(lock.directory)
            for (path, contents) in fetched { try folder.replace(path, with: contents) }
            for path in gone where try folder.remove(path) { report.files.append((path, .removed)) }
            try folder.replace(CacheManifest.fileName, with: metadata.manifest)
            if let log = metadata.log { try folder.replace(CacheUpdateLog.fileName, with: log) }
            try folder.replace(FetchRecord.fileName, with: record.text)
        }
        return report
    }

    private func metadata(
        of source: LibrarySource, _ record: FetchRecord, _ folder: CacheFolder
    ) throws -> (manifest: [UInt8], log: [UInt8]?, isRecent: Bool) {
        let limit = CacheManifest.limit
        if !source.isLocal, record.isMetadataRecent(at: now()),
            let manifest = try folder.contents(of: CacheManifest.fileName, limit: limit)
        {
            return (manifest, try folder.contents(of: CacheUpdateLog.fileName, limit: limit), true)
        }
        guard let manifest = try source.contents(ofMetadata: CacheManifest.fileName, limit: limit) else {
            throw FormatError(
                .recordInvalid, "\(source): has no \(CacheManifest.fileName)",
                hint: "give the address or the directory in which it is")
        }
        return (manifest, try source.contents(ofMetadata: CacheUpdateLog.fileName, limit: limit), false)
    }

    /// The bytes of the files that are to be replaced.
    private func fetch(
        _ manifest: CacheManifest, from source: LibrarySource, _ record: inout FetchRecord,
        _ folder: CacheFolder, _ report: inout Report
    ) -> [(path: CachePath, contents: [UInt8])] {
        var fetched: [(CachePath, [UInt8])] = []
        for (path, file) in manifest.files.sorted(by: { $0.key < $1.key }) {
            let isLibrary = path == manifest.library
            // The library has one place here, wherever it is elsewhere.
            let place = isLibrary ? CachePath(LibraryCacheNames.library) ?? path : path
            do {
                let limit = isLibrary ? Self.libraryLimit : Self.fileLimit
                let old = try folder.contents(of: place, limit: limit)
                guard isLibrary || wantsAll || paths.contains(path) || old != nil else { continue }
                if let old, OpenedDocument.checksum(of: old.contents) == file.checksum {
                    report.files.append((place, .current))
                } else if !source.isLocal, record.isRecent(place, at: now()) {
                    report.files.append((place, .recent))
                } else {
                    record.paths[place] = now().milliseconds
                    fetched.append((place, try contents(of: file, at: path, from: source, limit: limit)))
                    report.files.append((place, .fetched))
                }
            } catch {
                report.files.append((place, .failed))
                report.failures.append(
                    error as? FileError ?? FileError(.io, "\(place): \(error)", path: journal))
            }
        }
        return fetched
    }

    private func contents(
        of file: CacheManifest.File, at path: CachePath, from source: LibrarySource, limit: Int
    ) throws -> [UInt8] {
        if let size = file.size, size > limit {
            throw FileError(.fileTooLarge, "\(path): has \(size) bytes; \(limit) are taken")
        }
        guard let contents = try source.contents(of: file.address, at: path, limit: limit) else {
            throw FileError(.notFound, "\(path): is in the manifest, but not there", hint: "try again later")
        }
        guard OpenedDocument.checksum(of: contents) == file.checksum else {
            throw FileError(
                .cacheHash, "\(path): is not what the manifest says (SHA-256)",
                hint: "try again later; what was there stays")
        }
        return contents
    }

    /// What the update log has removed since the last fetch, and the manifest has not got again. The library stays.
    private func removals(
        _ events: [CacheUpdateLog.Event], _ record: FetchRecord, _ manifest: CacheManifest
    ) -> [CachePath] {
        let new = events.filter { !record.events.contains($0.generatedAt) }
        let kept = Set(LibraryFetch.ownNames)
        return Set(new.flatMap(\.removed)).filter { manifest.files[$0] == nil && !kept.contains($0.text) }
            .sorted()
    }

    /// Files of the folder that no event removes.
    private static let ownNames = [
        LibraryCacheNames.library, CacheManifest.fileName, CacheUpdateLog.fileName, FetchRecord.fileName,
    ]
}

extension FileError.Code {
    /// A file of a cache is not the one that its manifest means.
    package static let cacheHash = FileError.Code(rawValue: "practice-cache-hash")
}
