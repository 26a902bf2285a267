internal import Glibc
package import RecordFormat
internal import SystemPackage
internal import TraceCrypto
package import TraceFiles
internal import TraceFormat
internal import TraceText

/// Recordings can't be made twice. So what is erased has been in the bin for long enough by its name *and* since the bin was first looked
/// at with a right clock: a clock that was wrong when a session was deleted, or has jumped since, erases nothing.
extension Bin {
    /// The outcome of emptying the bin.
    package struct Emptied: Sendable {
        /// What was erased.
        package internal(set) var erased: [Item] = []
        /// What could not be.
        package internal(set) var problems: [FileError] = []
        /// Whether nothing was looked at because the clock may be wrong.
        var isClockDoubtful = false
    }

    /// Erases what has been in the bin for longer than `age`.
    ///
    /// - Parameters:
    ///   - isSynchronized: Whether a time service keeps the clock right.
    /// - Throws: ``FileError`` if the state can't be written; then nothing is erased.
    /// - Note: Killed in between, the next call erases the rest; what is partly erased can't be restored any more.
    package func empty(
        olderThan age: Duration, now: Timestamp = Clock.now(),
        isSynchronized: Bool = ClockState.isSynchronized ?? false
    ) throws -> Emptied {
        var outcome = Emptied()
        let bins = directories()
        guard !bins.isEmpty else { return outcome }
        for bin in bins { finishErasing(in: bin, now, &outcome) }
        var looks = try BinLooks(in: state)
        guard isSynchronized || looks.allows(now) else {
            outcome.isClockDoubtful = true
            return outcome
        }
        let items = items()
        looks.note(items.map(\.path), at: now)
        try looks.write(to: state, failPoint: failPoint)
        for item in items {
            let since = max(item.deletedAt, looks.first(of: item.path) ?? now)
            guard .milliseconds(now.milliseconds(since: since)) > age else { continue }
            do {
                try erase(item)
                outcome.erased.append(item)
            } catch {
                outcome.problems.append(error)
            }
        }
        return outcome
    }

    /// Whether the clock keeps the bin from being emptied, though there is something in it.
    package func isKeptByClock(
        now: Timestamp = Clock.now(), isSynchronized: Bool = ClockState.isSynchronized ?? false
    ) -> Bool {
        guard !isSynchronized, let looks = try? BinLooks(in: state) else { return false }
        return !looks.allows(now)
    }

    private func erase(_ item: Item) throws(FileError) {
        do {
            try DirectoryLock.holding(
                item.path, runtimeDirectory: runtimeDirectory, timeout: .zero, failPoint: failPoint
            ) { _ in
                let bin = try OpenDirectory(item.path.containingDirectory, failPoint: failPoint)
                // What is half gone must not be restored.
                guard
                    let name = FilePath.Component(
                        bytes: Self.erasing + item.name.bytes.dropFirst(Self.erasing.count))
                else { return }
                try bin.moveDirectory(item.name, to: name, in: bin)
                try bin.removeTree(name)
                if let note = BinName.note(of: item.name) { _ = try bin.remove([note]) }
            }
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError(.io, "\(error)", path: item.path)
        }
    }

    /// In the place of the first digits of the moment, so that the name is no longer than it was.
    private static let erasing = Array(".x".utf8)

    /// Erases the rest of what was being erased, and notes of sessions that never came.
    private func finishErasing(in bin: FilePath, _ now: Timestamp, _ outcome: inout Emptied) {
        guard let directory = try? OpenDirectory(bin, failPoint: failPoint) else { return }
        var names: [FilePath.Component] = []
        try? directory.forEachName { names.append($0) }
        for name in names where name.bytes.starts(with: Self.erasing) {
            do { try directory.removeTree(name) } catch let error as FileError {
                outcome.problems.append(error)
            } catch {}
        }
        let there = Set(names)
        let orphans = names.filter { name in
            guard let entry = BinName.entry(ofNote: name), !there.contains(entry),
                let moment = BinName(entry)?.moment
            else { return false }
            return now.milliseconds(since: moment) > 86_400_000
        }
        _ = try? directory.remove(orphans)
    }

    /// How many bytes the files of a session in the bin have.
    ///
    /// - Complexity: O(files).
    package static func size(of item: Item) -> Int64 {
        var size: Int64 = 0
        DirectoryWalker(root: item.path).walk { entry in
            if entry.kind == .regular {
                size += (try? FileStatus(of: entry.path, followingLinks: false))?.identity.size ?? 0
            }
            return .descend
        } report: { _ in
        }
        return size
    }
}

/// Since when each session in the bin is known to be there, by a clock that was right: `bin.json` in the state directory.
private struct BinLooks {
    private var last: Timestamp?
    private var firsts: [[UInt8]: Timestamp] = [:]
    private var identity: FileIdentity?

    private static let file: FilePath.Component = "bin.json"

    init(in state: FilePath) throws {
        guard let file = try OpenDirectory.ifPresent(state)?.readFile(Self.file, limit: 1 << 26) else {
            return
        }
        identity = file.identity
        try? JSONParser().withParsed(file.contents) { root -> Void in
            last = root[name: "at"]?.timestamp
            root[name: "items"]?.elements.forEach { item in
                guard let path = item[name: "path"]?.string.flatMap(FilePath.init(hexadecimal:)),
                    let since = item[name: "since"]?.timestamp
                else { return }
                firsts[path.bytes] = since
            }
        }
    }

    /// Whether a clock that no time service keeps may be right: it has not gone back a day since the last look, nor on by more than two.
    func allows(_ now: Timestamp) -> Bool {
        let day: Int64 = 86_400_000
        return last.map { (-day...2 * day).contains(now.milliseconds(since: $0)) } ?? false
    }

    func first(of path: FilePath) -> Timestamp? { firsts[path.bytes] }

    mutating func note(_ paths: [FilePath], at now: Timestamp) {
        last = now
        let known = firsts
        firsts = [:]
        for path in paths { firsts[path.bytes] = known[path.bytes] ?? now }
    }

    func write(to state: FilePath, failPoint: FailPoint?) throws {
        let text = JSONText.object { object in
            object.member("at", last.map { JSONText($0) })
            object.member(
                "items",
                .array(
                    firsts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { path, since in
                        .object { object in
                            object.member("path", JSONText(hexadecimal(path)))
                            object.member("since", JSONText(since))
                        }
                    }))
        }
        try OpenDirectory.make(state)
        try OpenDirectory(state, failPoint: failPoint).replaceFile(
            Self.file, with: text.bytes + [newline], expecting: identity)
    }
}
