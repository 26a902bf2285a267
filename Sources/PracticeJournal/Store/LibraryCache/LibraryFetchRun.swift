internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// One run of a ``LibraryFetch``: each file is fetched, checked and placed before the next one is asked for. The journal is locked for each
/// write, and not while the network is waited for.
///
/// The library is the first to be fetched, and is placed together with the manifest at the end: the other files may take an hour, and
/// meanwhile a library that is not the manifest's would be a finding (`practice-cache-hash`).
struct LibraryFetchRun {
    let fetch: LibraryFetch
    let source: LibrarySource
    let metadata: CacheMetadata
    let manifest: CacheManifest
    /// Those of the update log; nil if there is none.
    let events: [CacheUpdateLog.Event]?
    /// To read from; a write has one of its own, which is locked.
    let folder: CacheFolder
    /// With the times of this run.
    var record: FetchRecord
    /// Whether the journal's record is one of this source.
    var isRemembered: Bool
    var report: LibraryFetch.Report

    /// The largest library, and the largest other file, in bytes.
    private static let libraryLimit = 16 << 20
    private static let fileLimit = 64 << 20

    /// Files of the folder that no manifest replaces by a file that is another one elsewhere, and no event removes.
    private static let ownNames =
        LibraryDataFile.allCases.map(\.rawValue) + [
            CacheManifest.fileName, CacheUpdateLog.fileName, FetchRecord.fileName,
        ]

    /// A file of the manifest.
    private struct Item {
        let path: CachePath
        let file: CacheManifest.File
        /// Which of the known files it is; nil of another one.
        let known: LibraryDataFile?

        /// Where it is in the journal: a known file has one place there, wherever it is elsewhere.
        var place: CachePath { known.flatMap { CachePath($0.rawValue) } ?? path }
        var limit: Int {
            known.map(LibraryDataFile.primary.contains) ?? false
                ? LibraryFetchRun.libraryLimit : LibraryFetchRun.fileLimit
        }
    }

    /// - Parameter library: The path that the manifest has for it, and which file it is.
    /// - Throws: ``FileError`` if something can't be written: what was placed before stays.
    mutating func run(_ library: (path: CachePath, file: LibraryDataFile)) throws {
        var newLibrary: [UInt8]?
        if let file = manifest.files[library.path] {
            newLibrary = fetched(Item(path: library.path, file: file, known: library.file))
        }
        let hasLibrary = report.files.contains { $0.result == .fetched || $0.result == .current }
        let known = manifest.knownFiles
        for (path, file) in manifest.files.sorted(by: { $0.key < $1.key }) where path != library.path {
            let item = Item(path: path, file: file, known: known[path])
            guard item.known != nil || !Self.ownNames.contains(path.text),
                let contents = fetched(item), !fetch.isDry
            else { continue }
            try place(contents, at: item.place)
        }
        if hasLibrary { try finish(newLibrary, library.file) } else { try finishWithoutLibrary() }
    }

    // MARK: - Fetching

    /// Compares a file with the manifest, and fetches it if it is another one.
    ///
    /// - Returns: The bytes that the manifest means; nil if there is nothing to replace.
    private mutating func fetched(_ item: Item) -> [UInt8]? {
        let place = item.place
        do {
            let old = try folder.contents(of: place, limit: item.limit)
                .map { OpenedDocument.checksum(of: $0.contents) }
            guard item.known != nil || fetch.wantsAll || fetch.paths.contains(item.path) || old != nil else {
                return nil
            }
            if old == item.file.checksum {
                report.files.append((place, .current))
            } else if !source.isLocal, record.isRecent(place, at: fetch.now()) {
                report.files.append((place, .recent))
            } else {
                let time = fetch.now().milliseconds
                let contents = try contents(of: item)
                // One that did not come is asked for again the next time.
                record.paths[place] = time
                report.files.append((place, .fetched))
                return contents
            }
        } catch {
            report.files.append((place, .failed))
            report.failures.append(
                (error as? any StructuredError) ?? FileError(.io, "\(place): \(error)", path: fetch.journal))
        }
        return nil
    }

    private func contents(of item: Item) throws -> [UInt8] {
        let path = item.path
        if let size = item.file.size, size > item.limit {
            throw FileError(.fileTooLarge, "\(path): has \(size) bytes, more than the limit of \(item.limit)")
        }
        guard let contents = try source.contents(of: item.file.address, at: path, limit: item.limit) else {
            throw FileError(
                .notFound, "\(path): is in the manifest, but was not found", cure: "try again later")
        }
        guard OpenedDocument.checksum(of: contents) == item.file.checksum else {
            throw PracticeError(
                .cacheHash, "\(path): is not what the manifest says (SHA-256)",
                cure: "try again later; the previous file is kept")
        }
        return contents
    }

    // MARK: - Writing

    private mutating func place(_ contents: [UInt8], at path: CachePath) throws {
        let writer = fetch.writer
        try writer.locked { journal, _ in
            let folder = CacheFolder(journal.directory)
            try remember(in: folder)
            try folder.replace(path, with: contents)
        }
        isRemembered = true
    }

    /// Before the first change, what is known of another source is forgotten: after a kill, the next fetch continues with this one, and its
    /// times are not taken for those of this one.
    private func remember(in folder: CacheFolder) throws {
        guard !isRemembered else { return }
        try folder.replace(
            FetchRecord.fileName, with: FetchRecord(of: source, events: record.events).text)
    }

    /// Replaces the library and removes what the update log has removed; then come the manifest, the log, and at last the record, so that a
    /// fetch that was killed before is not taken for a complete one.
    private mutating func finish(_ library: [UInt8]?, _ file: LibraryDataFile) throws {
        let gone = removals()
        guard !fetch.isDry else {
            for path in gone where try folder.contents(of: path, limit: Self.fileLimit) != nil {
                report.files.append((path, .removed))
            }
            return
        }
        var completed = record
        if let time = metadata.fetchedAt { completed.metadata = time.milliseconds }
        // Without a log, the events of before are known still.
        completed.events = events.map { Set($0.map(\.generatedAt)) } ?? record.events ?? []
        let writer = fetch.writer
        try writer.locked { journal, _ in
            let folder = CacheFolder(journal.directory)
            try remember(in: folder)
            if let library { try folder.replace(file.rawValue, with: library) }
            for path in gone where try folder.remove(path) { report.files.append((path, .removed)) }
            try folder.replace(CacheManifest.fileName, with: metadata.manifest)
            if let log = metadata.log { try folder.replace(CacheUpdateLog.fileName, with: log) }
            try folder.replace(FetchRecord.fileName, with: completed.text)
        }
    }

    /// The manifest stays with the library that it means, and the update log for a fetch that has the library. All that is written is when
    /// this source was asked for files, and of an address of which nothing was placed not even that: it is not to be the next one's.
    private func finishWithoutLibrary() throws {
        guard isRemembered, !fetch.isDry else { return }
        try fetch.writer.locked { journal, _ in
            try CacheFolder(journal.directory).replace(FetchRecord.fileName, with: record.text)
        }
    }

    /// What the update log has removed since the last fetch, and the manifest has not got again. The library stays.
    private func removals() -> [CachePath] {
        guard let events, let made = record.events else { return [] }
        let removed = events.filter { !made.contains($0.generatedAt) }.flatMap(\.removed)
        return Set(removed).filter { manifest.files[$0] == nil && !Self.ownNames.contains($0.text) }.sorted()
    }
}
