internal import Glibc
package import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// Directories whose changes nobody reports, which are looked at again and again: each costs an `open` and a few `stat`,
/// whatever is in it, and is listed only where its own times say that names have come or gone.
///
/// A file system tells such a change by the directory's times, but its clock may stand still for a while (4 ms, or 2 s on
/// FAT). So a listing is trusted only if the times were the same at the look before it. What a file system does not tell
/// at all is left to the periodic scan.
///
/// A skip everything is a *cycle*, which can be done in pieces.
package struct PolledTree {
    /// Where each cycle begins.
    private(set) var tops: [FilePath] = []
    /// The number of directories in the last cycle.
    private var lastCount = 0

    private var nodes: [Node] = []
    /// What is left of this cycle, the next one last.
    private var pending: [Node] = []
    private var seenCount = 0

    /// A directory as of the last look. A reference, so that a cycle can be suspended and resumed.
    private final class Node {
        let path: FilePath
        var children: [FilePath.Component: Node] = [:]
        /// The files of records that are looked at.
        var names: [FilePath.Component] = []
        /// The directory at the last look, and at the last one after which the listing can be trusted.
        var identity: FileIdentity?
        var listed: FileIdentity?
        /// Of the files of records.
        var files: Int?

        init(_ path: FilePath) { self.path = path }
    }

    /// What a cycle finds.
    package enum Change: Equatable, Sendable {
        /// Something about a directory, its names or its files of records is new, or it is seen for the first time.
        case directory(FilePath)
        /// It is gone, with all below it.
        case gone(FilePath)
    }

    private let formats: JournalRegistry

    /// - Parameter formats: The kinds of journal whose files are looked at.
    package init(_ formats: JournalRegistry) { self.formats = formats }

    /// Polls these directories, and all below them, from the next cycle on; none of them is inside another.
    package mutating func setTops(_ paths: [FilePath]) {
        guard paths != tops else { return }
        let known = Dictionary(nodes.map { ($0.path, $0) }) { first, _ in first }
        tops = paths
        nodes = paths.map { known[$0] ?? Node($0) }
        pending = []
    }

    /// The number of directories in a cycle: as many as in the last one, or more if more are known now.
    package var count: Int { max(lastCount, seenCount + pending.count) }

    /// Whether the last piece ended a cycle.
    package var isAtStart: Bool { pending.isEmpty }

    /// Looks at the next directories of the round, at least one if there is any.
    ///
    /// - Parameter limit: How many.
    /// - Returns: What has changed since each was looked at before.
    package mutating func look(atMost limit: Int) -> [Change] {
        if pending.isEmpty {
            pending = nodes.reversed()
            seenCount = 0
        }
        var changes: [Change] = []
        for _ in 0..<max(1, limit) {
            guard let node = pending.popLast() else { break }
            seenCount += 1
            look(at: node, &changes)
        }
        if pending.isEmpty { lastCount = seenCount }
        return changes
    }

    private mutating func look(at node: Node, _ changes: inout [Change]) {
        // Opened, because a network file system asks its server then (close-to-open consistency, nfs(5)).
        guard let directory = try? OpenDirectory(node.path), let identity = try? directory.status().identity
        else {
            // Whether it is gone or can't be read now shows at the next look at the session.
            if node.identity != nil || node.files == nil { changes.append(.directory(node.path)) }
            node.identity = nil
            node.listed = nil
            node.files = 0
            for child in node.children.values { pending.append(child) }
            return
        }
        var isNews = identity != node.identity
        if identity != node.listed { list(directory, node, identity, &changes) }
        node.identity = identity
        let files = node.names.isEmpty ? 0 : SessionState(of: directory, node.names).hashValue
        isNews = isNews || files != node.files
        node.files = files
        if isNews { changes.append(.directory(node.path)) }
        for child in node.children.values { pending.append(child) }
    }

    private func list(
        _ directory: OpenDirectory, _ node: Node, _ identity: FileIdentity, _ changes: inout [Change]
    ) {
        var children: [FilePath.Component: Node] = [:]
        var holdsHeader = false
        var names: [FilePath.Component] = []
        do throws(Errno) {
            try directory.forEachEntry { name, kind in
                if formats.isHeader(name) { holdsHeader = true }
                if formats.isFileWithoutHeader(name) { names.append(name) }
                let isDirectory =
                    switch kind {
                    case .directory: true
                    case nil: (try? directory.status(of: name, followingLinks: false))?.kind == .directory
                    default: false
                    }
                if isDirectory, !JournalFinder.isSkipped(name) {
                    children[name] = node.children[name] ?? Node(node.path.appending(name))
                }
                return true
            }
        } catch {
            // It is listed again in the next round.
            return
        }
        for (name, child) in node.children where children[name] == nil { changes.append(.gone(child.path)) }
        node.children = children
        node.names = holdsHeader ? formats.fileNames : names
        node.listed = identity == node.identity ? identity : nil
    }
}

/// In which state a session's directory and its files are: two that differ tell of a change; the same value says that there
/// was none, but for what happened within one tick of the kernel's clock.
package struct SessionState: Hashable, Sendable {
    private var identities: [FileIdentity?]

    /// - Complexity: A few `stat`.
    init(of directory: OpenDirectory, _ names: [FilePath.Component]) {
        identities = names.map { name in
            directory.withDescriptor { descriptor in
                try? FileStatus(of: name, inside: descriptor, followingLinks: true).identity
            }
        }
    }

    /// The state of the session at `path`, its directory and its `media` included; nil if it can't be opened.
    package init?(of path: FilePath) {
        guard let directory = try? OpenDirectory(path) else { return nil }
        self.init(of: directory, RecordKind.allCases.map(\.component))
        identities.append(try? directory.status().identity)
        identities.append(try? directory.status(of: "media", followingLinks: true).identity)
    }
}
