internal import Synchronization
internal import SystemPackage
internal import TraceFiles

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
        let identities: [FilePath.Component: FileIdentity]
        /// Whether a later change would have given each file another identity.
        let isSettled: Bool
    }

    /// How often the files are looked at, at most.
    private static let lookInterval = Duration.seconds(1)
    private static let sizeLimit: Int64 = 1 << 20
    private static let countLimit = 100

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
                let identities = try Self.identities(in: directory)
                if let known = state.known, known.isSettled, known.identities == identities {
                    return known.page
                }
                let known = try Self.read(Array(identities.keys), in: directory)
                state.known = known
                return known.page
            } catch {
                // The next request tries again: half of an installation is over soon.
                (state.known, state.lastLook) = (nil, nil)
                throw error
            }
        }
    }

    /// The files that belong to the page, by name. Links and directories don't.
    private static func identities(
        in directory: OpenDirectory
    ) throws -> [FilePath.Component: FileIdentity] {
        var names: [FilePath.Component] = []
        try directory.forEachName { name in
            if names.count < countLimit, Page.type(ofFile: name.string) != nil { names.append(name) }
        }
        var identities: [FilePath.Component: FileIdentity] = [:]
        for name in names {
            guard let status = try directory.statusIfPresent(of: name, followingLinks: false),
                status.kind == .regular
            else { continue }
            identities[name] = status.identity
        }
        return identities
    }

    private static func read(_ names: [FilePath.Component], in directory: OpenDirectory) throws -> Known {
        let start = SystemTime.now()
        var contents: [String: [UInt8]] = [:]
        var identities: [FilePath.Component: FileIdentity] = [:]
        for name in names {
            guard let file = try ServedFile.contents(of: name, in: directory, limit: sizeLimit) else {
                continue
            }
            contents[name.string] = file.contents
            identities[name] = file.identity
        }
        return Known(
            page: Page(contents), identities: identities,
            isSettled: !identities.values.contains { $0.isTooFresh(at: start) })
    }
}
