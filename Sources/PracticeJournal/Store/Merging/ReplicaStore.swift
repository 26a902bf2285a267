internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// The bytes that were exchanged with devices: `replicas/<device>/<SHA-256>.json`, the last four versions of each.
///
/// Source: practice.md, section 12.
struct ReplicaStore {
    static let folder: FilePath.Component = "replicas"
    /// How many versions of a device are kept.
    static let keptVersions = 4

    /// A version that is kept.
    struct Version: Equatable {
        let checksum: String
        let modified: SystemTime
        fileprivate let name: FilePath.Component
    }

    /// A document that was refused because most is gone from it.
    struct Refused {
        /// Of what the device had before.
        let base: String
        /// When the device wrote it.
        let written: Timestamp
        fileprivate let name: FilePath.Component
    }

    private let path: FilePath
    private let failPoint: FailPoint?

    init(_ journal: OpenDirectory) {
        path = journal.path.appending(Self.folder)
        failPoint = journal.failPoint
    }

    /// The names of the devices of which something is kept.
    func devices() throws -> [DeviceName] {
        guard let directory = try opened(path) else { return [] }
        var devices: [DeviceName] = []
        try directory.forEachName { name in
            if let device = try? DeviceName(name.string) { devices.append(device) }
        }
        return devices.sorted { $0.description < $1.description }
    }

    /// What was exchanged with a device, the newest first.
    func versions(of device: DeviceName) throws -> [Version] {
        guard let directory = try opened(path(of: device)) else { return [] }
        var names: [FilePath.Component] = []
        try directory.forEachName { names.append($0) }
        var versions: [Version] = []
        for name in names {
            guard let checksum = Self.checksum(of: name),
                let status = try directory.statusIfPresent(of: name, followingLinks: false)
            else { continue }
            versions.append(Version(checksum: checksum, modified: status.identity.modified, name: name))
        }
        return versions.sorted { ($1.modified, $1.checksum) < ($0.modified, $0.checksum) }
    }

    /// - Returns: Nil if the version is not kept any more, or if its bytes are not what its name says.
    func contents(of device: DeviceName, _ checksum: String) throws -> [UInt8]? {
        guard let directory = try opened(path(of: device)),
            let name = FilePath.Component("\(checksum).json"), Self.checksum(of: name) != nil,
            let contents = try directory.readFile(name, limit: OpenedDocument.limit)?.contents,
            OpenedDocument.checksum(of: contents) == checksum
        else { return nil }
        return contents
    }

    /// Keeps what a device has now, and drops what is too old.
    ///
    /// - Note: Durable on return. Killed in between, it is kept, or not; the older versions are.
    func keep(_ contents: [UInt8], of device: DeviceName) throws {
        let checksum = OpenedDocument.checksum(of: contents)
        guard let name = FilePath.Component("\(checksum).json") else { return }
        try place(contents, name, of: device)
        for version in try versions(of: device).dropFirst(Self.keptVersions) {
            try? OpenDirectory(path(of: device)).unlink(version.name)
        }
    }

    // MARK: - What was refused

    func refused(of device: DeviceName) throws -> Refused? {
        guard let directory = try opened(path(of: device)) else { return nil }
        var found: [Refused] = []
        try directory.forEachName { name in
            let parts = name.string.split(separator: ".")[0].split(separator: "-")
            guard parts.count == 3, parts[0] == Self.refusedPrefix, name.string.hasSuffix(".json"),
                let written = Int64(parts[2])
            else { return }
            found.append(
                Refused(base: String(parts[1]), written: Timestamp(milliseconds: written), name: name))
        }
        return found.max { $0.written < $1.written }
    }

    func contents(of device: DeviceName, _ refused: Refused) throws -> [UInt8]? {
        try opened(path(of: device))?.readFile(refused.name, limit: OpenedDocument.limit)?.contents
    }

    /// Keeps a document that is refused, until it is accepted or the device brings another one.
    ///
    /// - Note: Durable on return.
    func refuse(_ contents: [UInt8], of device: DeviceName, base: String, written: Timestamp) throws {
        guard
            let name = FilePath.Component("\(Self.refusedPrefix)-\(base)-\(written.milliseconds).json")
        else { return }
        try place(contents, name, of: device)
        try forgetRefused(of: device, but: name)
    }

    /// - Parameter name: One that stays.
    func forgetRefused(of device: DeviceName, but name: FilePath.Component? = nil) throws {
        guard let directory = try opened(path(of: device)) else { return }
        var gone: [FilePath.Component] = []
        try directory.forEachName { found in
            if found != name, found.string.hasPrefix("\(Self.refusedPrefix)-") { gone.append(found) }
        }
        for name in gone { try? directory.unlink(name) }
    }

    private static let refusedPrefix = "refused"

    // MARK: - Files

    private func path(of device: DeviceName) -> FilePath { path.appending(device.component) }

    private func opened(_ path: FilePath) throws -> OpenDirectory? {
        do { return try OpenDirectory(path, failPoint: failPoint) } catch let error as FileError where error.code == .notFound {
            return nil
        }
    }

    private func place(_ contents: [UInt8], _ name: FilePath.Component, of device: DeviceName) throws {
        try OpenDirectory.make(path(of: device))
        let directory = try OpenDirectory(path(of: device), failPoint: failPoint)
        let old = try directory.statusIfPresent(of: name, followingLinks: false)
        try directory.replaceFile(name, with: contents, expecting: old?.identity)
    }

    /// Nil for a name that no version has.
    private static func checksum(of name: FilePath.Component) -> String? {
        let text = name.string
        guard text.hasSuffix(".json") else { return nil }
        let digits = text.dropLast(5)
        guard digits.utf8.count == 64, digits.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else {
            return nil
        }
        return String(digits)
    }
}
