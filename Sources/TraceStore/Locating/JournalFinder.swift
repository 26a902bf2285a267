package import SystemPackage
package import TraceFiles
internal import TraceText

/// Finds journals below a root: every directory that holds the header of a kind of journal, wherever it lies and whatever its name;
/// journals inside journals too; and files that are a journal on their own where their directory is none.
///
/// Source: docs/spec/journals.md#the-directory-of-a-journal.
package enum JournalFinder {
    /// The journals below `root`, itself included, in the order of their paths.
    ///
    /// - Parameters:
    ///   - formats: The kinds that are looked for.
    ///   - shouldStop: Asked at each directory, so that the caller also knows that the search continues.
    ///   - dangling: Called with each directory whose header is a link that leads nowhere: it is a journal as soon as there is
    ///     something at the other end.
    ///   - report: Called with each directory that can't be read; the others are searched anyway.
    /// - Returns: Nil if it was stopped: what was found until then is not all there is.
    package static func journals(
        in root: FilePath, of formats: JournalRegistry, shouldStop: () -> Bool = { false },
        dangling: (FilePath) -> Void = { _ in }, report: (FileError) -> Void = { _ in }
    ) -> [FilePath]? {
        var found: [(path: FilePath, bytes: [UInt8])] = []
        var single: [FilePath] = []
        let isWhole = DirectoryWalker(root: root).walk(
            shouldStop: shouldStop,
            visit: { entry in
                if entry.kind == .directory { return isSkipped(entry.name) ? .pass : .descend }
                guard formats.isHeader(entry.name) else {
                    if formats.isSingleFile(entry.name), entry.kind == .regular {
                        single.append(entry.directory.appending(entry.name))
                    }
                    return .pass
                }
                if entry.kind == .regular || leadsSomewhere(entry) {
                    found.append((entry.directory, entry.directory.bytes))
                } else if entry.kind == .symbolicLink {
                    dangling(entry.directory)
                }
                return .pass
            }, report: { report($0.path == root && $0.code == .notFound ? missingRoot(root) : $0) })
        guard isWhole else { return nil }
        if !single.isEmpty {
            let directories = Set(found.map(\.path))
            found += single.filter { !directories.contains($0.removingLastComponent()) }.map {
                ($0, $0.bytes)
            }
        }
        found.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        // One that has the headers of two kinds is found twice.
        return found.indices.filter { $0 == 0 || found[$0].bytes != found[$0 - 1].bytes }.map {
            found[$0].path
        }
    }

    private static func missingRoot(_ root: FilePath) -> FileError {
        FileError(
            .notFound, "this root does not exist", path: root,
            cure: [
                "\(verb: "config show roots") says where it is set",
                "if it is on a removable or network disk, mount the disk",
            ]
        )
    }

    /// Whether an entry is a link that leads to something, or in a circle, which is shown as a problem.
    private static func leadsSomewhere(_ entry: DirectoryWalker.Entry) -> Bool {
        guard entry.kind == .symbolicLink, let directory = try? OpenDirectory(entry.directory) else {
            return false
        }
        do { return try directory.statusIfPresent(of: entry.name, followingLinks: true) != nil } catch {
            return true
        }
    }

    /// Whether a search below `root` finds this journal now, by this path: not one that a link leads to.
    ///
    /// - Complexity: An lstat(2) for each directory between them.
    package static func finds(_ journal: FilePath, below root: FilePath, of formats: JournalRegistry) -> Bool
    {
        guard journal.lies(in: root), searches(journal, below: root) else { return false }
        if journal != root, let name = journal.lastComponent, formats.isSingleFile(name),
            (try? FileStatus(of: journal, followingLinks: false))?.kind == .regular
        {
            let directory = journal.removingLastComponent()
            return isReached(directory, below: root) && !formats.hasHeader(at: directory)
        }
        return isReached(journal, below: root) && formats.hasHeader(at: journal)
    }

    /// Whether directories, and no links, lead from a root to a directory below it.
    private static func isReached(_ directory: FilePath, below root: FilePath) -> Bool {
        var above = directory
        while above != root {
            guard above.lastComponent?.kind == .regular else { return false }
            do throws(Errno) {
                guard try FileStatus(of: above, followingLinks: false).kind == .directory else {
                    return false
                }
            } catch {
                // What can't be looked at is not known to be gone.
                return error != .noSuchFileOrDirectory && error != .notDirectory
            }
            guard above.removeLastComponent() else { return false }
        }
        return true
    }

    /// Whether a search below `root` comes to a directory that is there.
    package static func searches(_ directory: FilePath, below root: FilePath) -> Bool {
        directory.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/")).allSatisfy {
            !isSkipped(Array($0))
        }
    }

    /// Whether a directory of that name is left out: the private folders of sync tools and of version control, which
    /// hold old versions of files, sessions that were deleted, and sessions of ours that are not whole yet.
    package static func isSkipped(_ name: FilePath.Component) -> Bool { isSkipped(name.bytes) }

    private static func isSkipped(_ name: [UInt8]) -> Bool {
        skippedNames.contains(name) || (name.first == UInt8(ascii: ".") && name.ends(with: stagingSuffix))
    }

    /// Where deleted sessions are.
    static let bin: FilePath.Component = ".trace-bin"

    /// Whether a path leads into a directory of deleted sessions.
    static func isInBin(_ path: FilePath) -> Bool { path.components.contains(bin) }

    private static let skippedNames = Set(
        [".stversions", ".stfolder", "@eaDir", ".git", bin.string].map { Array($0.utf8) })
    private static let stagingSuffix = Array(".trace-new".utf8)
}

extension Array where Element: Equatable {
    fileprivate func ends(with other: [Element]) -> Bool { suffix(other.count).elementsEqual(other) }
}
