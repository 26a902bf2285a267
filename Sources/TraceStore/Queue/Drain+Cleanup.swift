internal import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension Drain {
    /// Removes what has been kept long enough: applied and dropped entries with their audio, leftovers of
    /// killed writers, reasons without their entry, and notes of headers whose sessions never came back. What was refused stays until somebody retries or
    /// drops it.
    ///
    /// - Parameter retention: How long entries are kept, counted from when they were put there.
    /// - Returns: What was removed.
    /// - Throws: ``FileError`` with `.sessionLocked` while a drain runs, or what a directory refuses.
    /// - Note: A kill leaves some of it for the next time.
    @discardableResult
    public func removeOutdated(retention: Duration) throws -> [FilePath] {
        guard try OpenDirectory.ifPresent(directories.state) != nil else { return [] }
        return try locked { _ in
            var removed: [FilePath] = []
            let headers = StaleHeaders(state: directories.state).path
            for path in [directories.done, directories.dropped, headers] {
                removed += try removeOutdated(in: path, age: retention)
            }
            removed += try removeReasonsWithoutEntry()
            let unplaced = directories.unplaced.map(\.path)
            for path in directories.places.map(\.1.path) + unplaced {
                removed += try removeOldLeftovers(in: path)
            }
            for path in unplaced { removed += try removeAudioAlone(in: path, age: retention) }
            return removed
        }
    }

    /// Audio of moments that were killed while they were kept or placed: its entry is not there, or no longer.
    private func removeAudioAlone(in path: FilePath, age: Duration) throws -> [FilePath] {
        let old = try files(in: path) {
            Duration.milliseconds($0.milliseconds(since: $1.changed.timestamp)) > age
        }.filter { $0.extension != "json" && ULID($0.stem) != nil }
        guard !old.isEmpty else { return [] }
        let kept = Set(try Spool(path).files().map(\.id.description))
        return try OpenDirectory(path, failPoint: failPoint).remove(old.filter { !kept.contains($0.stem) })
    }

    private func removeOutdated(in path: FilePath, age: Duration) throws -> [FilePath] {
        // By the time at which the file came to this directory (rename(2) sets it): a restored copy is kept
        // longer.
        let old = try files(in: path) {
            Duration.milliseconds($0.milliseconds(since: $1.changed.timestamp)) > age
        }
        guard !old.isEmpty else { return [] }
        let needed = try attachmentsOfOthers(than: Set(old), in: path)
        let outdated = old.filter { name in
            !needed.contains { needed in
                let stem = name.stem.lowercased()
                return stem == needed || stem.hasPrefix("\(needed).")
            }
        }
        return try OpenDirectory(path, failPoint: failPoint).remove(outdated)
    }

    /// The stems of the names of audio that entries need which stay.
    private func attachmentsOfOthers(
        than old: Set<FilePath.Component>, in path: FilePath
    ) throws -> Set<String> {
        var needed: Set<String> = []
        for (place, spool) in directories.places {
            for file in try place == .spool ? spool.files() : spool.keptFiles() {
                if spool.path == path, old.contains(file.name) { continue }
                guard let attachment = try? spool.read(file).attachment else { continue }
                needed.insert(FilePath.Component(attachment.name)?.stem.lowercased() ?? attachment.name)
            }
        }
        return needed
    }

    private func removeReasonsWithoutEntry() throws -> [FilePath] {
        let reasons = try files(in: directories.failed) { _, _ in true }.filter {
            $0.extension == "reason"
        }
        guard !reasons.isEmpty else { return [] }
        let ids = Set(try Spool(directories.failed).keptFiles().map(\.id.description))
        return try OpenDirectory(directories.failed, failPoint: failPoint).remove(
            reasons.filter { !ids.contains($0.stem) })
    }

    /// Temporary files of ours that nobody has touched for an hour: a sync tool may bring one of a writer
    /// that lives on another machine, where its lock can't be seen.
    private func removeOldLeftovers(in path: FilePath) throws -> [FilePath] {
        let old = try files(in: path) {
            Duration.milliseconds($0.milliseconds(since: $1.modified.timestamp)) > .seconds(3600)
        }.filter {
            TemporaryFile.isName($0) || $0 == TemporaryFile.mediaName
        }
        guard !old.isEmpty else { return [] }
        let directory = try OpenDirectory(path, failPoint: failPoint)
        return try old.flatMap { try directory.removeLeftover(regularFile: $0) }
    }

    /// The regular files of a directory that meet a condition, given the present moment.
    private func files(
        in path: FilePath, where condition: (Timestamp, FileIdentity) -> Bool
    ) throws -> [FilePath.Component] {
        guard let directory = try OpenDirectory.ifPresent(path) else { return [] }
        let present = now()
        var names: [FilePath.Component] = []
        try directory.forEachName { names.append($0) }
        return try names.filter { name in
            guard let status = try directory.statusIfPresent(of: name, followingLinks: false) else {
                return false
            }
            return status.kind == .regular && condition(present, status.identity)
        }
    }
}
