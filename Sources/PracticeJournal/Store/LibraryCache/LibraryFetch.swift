package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceStore
package import TraceText

/// Brings a journal's library up to date with a cache elsewhere, when a person asks for it.
///
/// A file is replaced only by bytes whose SHA-256 is the manifest's; what is there stays where something fails.
///
/// Source: docs/practice.md#the-library.
package struct LibraryFetch {
    /// Which files are wanted, besides those that are known by their names and those that are in the cache already.
    var paths: Set<CachePath> = []
    package var wantsAll = false
    /// Whether nothing is written. Manifest and files are asked for all the same.
    package var isDry = false
    /// The kinds of journal that there are: no file of the cache makes a directory of the library one of them.
    package var formats = JournalRegistry([Self.format])
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?

    let journal: FilePath
    let now: @Sendable () -> Timestamp
    private let runtimeDirectory: FilePath?

    private static let format = PracticeFormat()

    /// - Parameter journal: Its directory.
    package init(
        _ journal: FilePath, runtimeDirectory: FilePath?,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.journal = journal
        self.runtimeDirectory = runtimeDirectory
        self.now = now
    }

    /// The outcome of a file.
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
        let source: LibrarySource
        /// Whether manifest and update log were fetched a moment ago, and are those that were there.
        let isMetadataRecent: Bool
        /// The library first.
        package internal(set) var files: [(path: CachePath, result: Result)] = []
        /// What is wrong with single files, of which what was there stays.
        package internal(set) var failures: [any StructuredError] = []
        /// What of the manifest can't be fetched.
        package let left: [String]
    }

    /// - Parameter source: Nil for the one that was used last.
    /// - Throws: ``StoreError`` with `.journalNotWritable`, or `.toolMissing` or `.toolFailed` if the cache can't be asked; ``FileError`` with
    ///   `.notFound`; ``FormatError``: then nothing has changed. Another ``FileError`` also if a file can't be written: then those that were
    ///   placed before stay, and the next fetch continues.
    /// - Note: Durable on return. Killed in between, each file is the old or the new one; the next fetch continues.
    package func run(from source: LibrarySource?) throws -> Report {
        let directory = try OpenDirectory(journal)
        try requireWritable(directory)
        let folder = CacheFolder(directory)
        let known = FetchRecord(
            try folder.contents(of: FetchRecord.fileName, limit: CacheManifest.limit) ?? [])
        guard let source = source ?? known.source.flatMap(LibrarySource.init(remembered:)) else {
            throw FormatError(
                .recordInvalid, "nothing was fetched yet, so there is no address to fetch from",
                cure: "give the address of the cache, or \(option: "from") DIR")
        }
        let isRemembered = known.source == source.description
        let record = isRemembered ? known : FetchRecord(of: source, events: known.events)
        let metadata = try metadata(of: source, record, folder)
        var manifest = try CacheManifest(metadata.manifest)
        manifest.leave { path in
            let name = path.names.last.flatMap { FilePath.Component($0) }
            return name.map(formats.makesJournal) == false ? nil : "has a name that only a journal's file has"
        }
        let events = try metadata.log.map { try CacheUpdateLog($0).events }
        guard let library = manifest.library else {
            throw FormatError(
                .recordInvalid,
                "\(CacheManifest.fileName): has neither \(LibraryDataFile.catalogue.rawValue) nor \(LibraryDataFile.library.rawValue)",
                cure: "give the address of a pinball library's cache")
        }
        if let unknown = paths.filter({ manifest.files[$0] == nil }).min() {
            throw FormatError(.recordInvalid, "\(CacheManifest.fileName): has no file '\(unknown)'")
        }
        var fetching = LibraryFetchRun(
            fetch: self, source: source, metadata: metadata, manifest: manifest, events: events,
            folder: folder, record: record, isRemembered: isRemembered,
            report: Report(
                source: source, isMetadataRecent: metadata.fetchedAt == nil, left: manifest.left))
        try fetching.run(library)
        return fetching.report
    }

    private func metadata(
        of source: LibrarySource, _ record: FetchRecord, _ folder: CacheFolder
    ) throws -> CacheMetadata {
        let limit = CacheManifest.limit
        if !source.isLocal, record.isMetadataRecent(at: now()),
            let manifest = try folder.contents(of: CacheManifest.fileName, limit: limit)
        {
            let log = try folder.contents(of: CacheUpdateLog.fileName, limit: limit)
            return CacheMetadata(manifest: manifest, log: log, fetchedAt: nil)
        }
        let time = now()
        guard let manifest = try source.contents(ofMetadata: CacheManifest.fileName, limit: limit) else {
            throw FormatError(
                .recordInvalid, "\(source): has no \(CacheManifest.fileName)",
                cure: "give the address or the directory in which it is")
        }
        let log = try source.contents(ofMetadata: CacheUpdateLog.fileName, limit: limit)
        return CacheMetadata(manifest: manifest, log: log, fetchedAt: time)
    }

    // MARK: - Writing

    /// Through which all is written, so that what another write refuses is refused here, too.
    var writer: JournalWriter {
        var writer = JournalWriter(
            journal, formats: JournalRegistry([Self.format]), runtimeDirectory: runtimeDirectory)
        writer.failPoint = failPoint
        return writer
    }

    /// Refuses what a write would refuse, before anything is asked for. A journal that can be written is not locked for it.
    ///
    /// - Throws: ``StoreError`` with `.journalNotWritable`; ``FileError`` with `.notFound`.
    private func requireWritable(_ directory: OpenDirectory) throws {
        let snapshot = try JournalSnapshot(directory, as: Self.format, settleTime: .zero)
        guard snapshot.isJournal, try Self.format.header(of: snapshot).state == .open else {
            // It is the writer that knows why.
            return try writer.locked { _, _ in }
        }
    }
}

/// Manifest and update log of a cache.
struct CacheMetadata {
    let manifest: [UInt8]
    /// Nil if there is none.
    let log: [UInt8]?
    /// When they were asked for; nil if that was a moment ago, and they are those that were there.
    let fetchedAt: Timestamp?
}
