internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// The web page as it is on the disk: read for the first request, and again once a file has changed.
final class PageFiles: Sendable {
    private let state: Mutex<State>

    private struct State {
        /// Nil while the page is not installed.
        var directory: FilePath?
        var known: Known?
        var lastLook: ContinuousClock.Instant?
    }

    /// The page with the state of the files that it was read from.
    private struct Known {
        let page: Page
        /// By the paths of the files.
        let identities: [String: FileIdentity]
        /// Whether a later change would have given each file another identity.
        let isSettled: Bool
    }

    /// A file of the page, in the directory in which it was found: a folder that is replaced meanwhile does not lead to another one.
    private struct Found {
        let directory: OpenDirectory
        let name: FilePath.Component
        let identity: FileIdentity
    }

    /// How often the files are looked at, at most.
    private static let lookInterval = Duration.seconds(1)
    private static let sizeLimit: Int64 = 1 << 20
    /// The most files, those in folders among them.
    private static let countLimit = 400
    /// The most folders. Each that has files is open while these are read.
    private static let folderLimit = 20

    /// - Parameter directory: Where the files are; nil if they were not found. Then they are looked for again when they are asked for.
    init(in directory: FilePath? = PageDirectory.find()) {
        state = Mutex(State(directory: directory))
    }

    /// Whether the page was found.
    var isInstalled: Bool { state.withLock { $0.directory != nil } }

    /// The page as its files are now, or were less than a second ago. Blocks: those who ask at once wait for one reading.
    ///
    /// - Returns: Nil if the page is not installed.
    /// - Throws: ``FileError`` if a file can't be read.
    func page() throws -> Page? {
        try state.withLock { state in
            let now = ContinuousClock.now
            if let last = state.lastLook, now - last < Self.lookInterval { return state.known?.page }
            state.lastLook = now
            let path = state.directory ?? PageDirectory.find()
            guard let path, let directory = try? OpenDirectory(path) else {
                (state.directory, state.known) = (nil, nil)
                return nil
            }
            state.directory = path
            do {
                let found = try Self.files(in: directory)
                if let known = state.known, known.isSettled,
                    known.identities == found.mapValues(\.identity)
                {
                    return known.page
                }
                let known = try Self.read(found)
                state.known = known
                return known.page
            } catch {
                // The next request tries again: half of an installation is over soon.
                (state.known, state.lastLook) = (nil, nil)
                throw error
            }
        }
    }

    /// The files that belong to the page, by their paths below its directory: those in it, and those in its folders. Links don't, nor
    /// does what lies deeper.
    private static func files(in directory: OpenDirectory) throws -> [String: Found] {
        var found: [String: Found] = [:]
        let folders = try add(directory, as: "", to: &found)
        for name in folders.sorted(by: { $0.string < $1.string }) {
            guard let folder = try folder(name, in: directory) else { continue }
            _ = try add(folder, as: "\(name.string)/", to: &found)
        }
        return found
    }

    /// Adds the files of a directory.
    ///
    /// - Parameter prefix: What their paths begin with.
    /// - Returns: The names that folders of the page may have.
    private static func add(
        _ directory: OpenDirectory, as prefix: String, to found: inout [String: Found]
    ) throws -> [FilePath.Component] {
        var names: [FilePath.Component] = []
        var folders: [FilePath.Component] = []
        let room = countLimit - found.count
        try directory.forEachName { name in
            if Page.isFolder(name.string) {
                if folders.count < folderLimit { folders.append(name) }
            } else if names.count < room, Page.type(ofFile: name.string) != nil {
                names.append(name)
            }
        }
        for name in names {
            guard let status = try directory.statusIfPresent(of: name, followingLinks: false),
                status.kind == .regular
            else { continue }
            found[prefix + name.string] = Found(directory: directory, name: name, identity: status.identity)
        }
        return folders
    }

    /// A folder of the page; nil if the name is that of anything else.
    private static func folder(
        _ name: FilePath.Component, in directory: OpenDirectory
    ) throws -> OpenDirectory? {
        do { return try directory.openDirectory(name) } catch let error as FileError
            where error.code == .notFound || error.code == .leavesSession
        {
            return nil
        }
    }

    private static func read(_ found: [String: Found]) throws -> Known {
        let start = SystemTime.now()
        var contents: [String: [UInt8]] = [:]
        var identities: [String: FileIdentity] = [:]
        for (path, one) in found {
            guard
                let file = try ServedFile.contents(of: one.name, in: one.directory, limit: sizeLimit)
            else { continue }
            contents[path] = file.contents
            identities[path] = file.identity
        }
        return Known(
            page: Page(contents), identities: identities,
            isSettled: !identities.values.contains { $0.isTooFresh(at: start) })
    }
}
