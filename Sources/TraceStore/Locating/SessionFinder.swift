public import SystemPackage
public import TraceFiles
internal import TraceFormat

/// Finds session directories below a root: every directory that holds a `session.json`, wherever it lies and whatever
/// its name; sessions inside sessions too.
///
/// Source: format.md, "The directory".
public enum SessionFinder {
    /// The sessions below `root`, itself included, in the order of their paths.
    ///
    /// - Parameter report: Is told of each directory that can't be read; the others are searched all the same.
    public static func sessions(in root: FilePath, report: (FileError) -> Void = { _ in }) -> [FilePath] {
        sessions(in: root, shouldStop: { false }, report: report) ?? []
    }

    /// As ``sessions(in:report:)``, but it can be cut short.
    ///
    /// - Parameter shouldStop: Asked at each directory, so that whoever is asked also knows that the search goes on.
    /// - Returns: Nil if it was stopped: what was found until then is not all there is.
    package static func sessions(
        in root: FilePath, shouldStop: () -> Bool, report: (FileError) -> Void = { _ in }
    ) -> [FilePath]? {
        var found: [(path: FilePath, bytes: [UInt8])] = []
        let isWhole = DirectoryWalker(root: root).walk(
            shouldStop: shouldStop,
            visit: { entry in
                if entry.kind == .directory { return isPassedOver(entry.name) ? .pass : .descend }
                if isHeader(entry.name), entry.kind == .regular || leadsSomewhere(entry) {
                    found.append((entry.directory, entry.directory.bytes))
                }
                return .pass
            }, report: report)
        guard isWhole else { return nil }
        return found.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }.map(\.path)
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

    /// Whether a search below `root` comes to a directory that lies there.
    package static func searches(_ directory: FilePath, below root: FilePath) -> Bool {
        directory.bytes.dropFirst(root.bytes.count).split(separator: UInt8(ascii: "/")).allSatisfy {
            !isPassedOver(Array($0))
        }
    }

    /// Whether a directory of that name is left out: the private folders of sync tools and of version control, which
    /// hold old versions of files, and sessions of ours that are not whole yet.
    package static func isPassedOver(_ name: FilePath.Component) -> Bool {
        isPassedOver(name.bytes)
    }

    private static func isPassedOver(_ name: [UInt8]) -> Bool {
        passedOver.contains(name) || (name.first == UInt8(ascii: ".") && name.ends(with: stagingSuffix))
    }

    /// Whether a file of that name makes its directory a session.
    package static func isHeader(_ name: FilePath.Component) -> Bool { name == header }

    private static let header = RecordKind.session.component
    private static let passedOver = Set(
        [".stversions", ".stfolder", "@eaDir", ".git"].map { Array($0.utf8) })
    private static let stagingSuffix = Array(".trace-new".utf8)
}

extension Array where Element: Equatable {
    fileprivate func ends(with other: [Element]) -> Bool { suffix(other.count).elementsEqual(other) }
}
