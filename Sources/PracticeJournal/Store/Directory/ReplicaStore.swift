internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The bytes that were exchanged with devices: `replicas/<device>/<SHA-256>.json`, the last four versions of each.
///
/// Their order is that of the files' times, which copies keep (`rsync -a`). A clock is not believed for it: a version whose time would
/// not be later than those of the others gets one that is.
///
/// Source: docs/practice.md#devices.
struct ReplicaStore {
    static let folder: FilePath.Component = "replicas"
    /// How many versions of a device are kept.
    static let keptVersions = 4
    /// Of how many devices something is kept: who may write must not fill the disk with names.
    static let deviceLimit = 64

    /// A version that is kept.
    struct Version: Equatable {
        let checksum: String
        let modified: SystemTime
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
            if let device = try? DeviceName(name.escaped) { devices.append(device) }
        }
        return devices.sorted { $0.description < $1.description }
    }

    /// - Throws: ``FormatError`` with `.recordInvalid` for a new device where there are too many; ``FileError``.
    func requireRoom(for device: DeviceName) throws {
        let devices = try devices()
        guard devices.contains(device) || devices.count < Self.deviceLimit else {
            throw FormatError(
                .recordInvalid, "\(devices.count) devices exchange this journal already",
                cure: "delete the directories in replicas/ of devices that are gone")
        }
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
    /// - Note: Durable on return. Killed in between, it is kept, or not, or kept with the time of a clock that has gone back, so that it
    ///   counts as older than it is; the older versions are kept.
    func keep(_ contents: [UInt8], of device: DeviceName) throws {
        let checksum = OpenedDocument.checksum(of: contents)
        guard let name = FilePath.Component("\(checksum).json") else { return }
        let placed = try place(contents, name, of: device)
        let others = try versions(of: device).filter { $0.name != name }
        if let newest = others.first?.modified, placed.modified <= newest {
            try setTime(of: name, after: newest, of: device)
        }
        for version in others.dropFirst(Self.keptVersions - 1) {
            try? OpenDirectory(path(of: device)).unlink(version.name)
        }
    }

    /// What other programs have left in the place of the journal's document, as far as it is kept; the newest first.
    ///
    /// - Throws: ``FileError``.
    func saves() throws -> [FoundDocument] {
        try versions(of: .document).compactMap { version in
            // One that can't be compared is no base.
            try contents(of: .document, version.checksum).flatMap {
                (try? DocumentValues(MergeInput($0).document)).map {
                    FoundDocument(checksum: version.checksum, values: $0)
                }
            }
        }
    }

    /// Gives a version a time that is later than that of the others.
    ///
    /// - Note: Durable on return.
    private func setTime(
        of name: FilePath.Component, after newest: SystemTime, of device: DeviceName
    ) throws {
        // Some file systems, and some programs that copy files, keep whole seconds only.
        let time = timespec(tv_sec: Int(newest.seconds.addingClamped(1)), tv_nsec: 0)
        let directory = try OpenDirectory(path(of: device), failPoint: failPoint)
        try explaining("set the time of", directory.path(of: name)) { () throws(Errno) in
            _ = try directory.withDescriptor { descriptor throws(Errno) in
                try retrying {
                    name.withPlatformString {
                        utimensat(descriptor, $0, [time, time], AT_SYMLINK_NOFOLLOW)
                    }
                }
            }
        }
        try directory.makeDurable(name)
    }

    // MARK: - What was refused

    /// Keeps a document that is refused, until it is accepted or the device brings another one.
    ///
    /// - Note: Durable on return.
    func refuse(_ contents: [UInt8], of device: DeviceName, base: String, written: Timestamp) throws {
        let checksum = OpenedDocument.checksum(of: contents)
        guard let name = Self.refusedName(checksum) else { return }
        try place(contents, name, of: device)
        var list = try refused()
        let old = list[device]
        list[device] = RefusedReplica(checksum: checksum, base: base, written: written)
        try write(list)
        if let old, old.checksum != checksum { try forget(old, of: device) }
    }

    /// What was refused, and not accepted yet.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if the list can't be read.
    func refused() throws -> [DeviceName: RefusedReplica] {
        guard let contents = try opened(path)?.readFile(RefusedReplica.file)?.contents else { return [:] }
        guard let list = RefusedReplica.list(contents) else {
            throw FileError(
                .invalidData, "can't be read", path: path.appending(RefusedReplica.file),
                cure: "delete it; each device brings its document again")
        }
        return list
    }

    func contents(of device: DeviceName, _ refused: RefusedReplica) throws -> [UInt8]? {
        try Self.refusedName(refused.checksum).flatMap {
            try opened(path(of: device))?.readFile($0, limit: OpenedDocument.limit)?.contents
        }
    }

    func forgetRefused(of device: DeviceName) throws {
        var list = try refused()
        guard let old = list.removeValue(forKey: device) else { return }
        try write(list)
        try forget(old, of: device)
    }

    private func write(_ list: [DeviceName: RefusedReplica]) throws {
        let directory = try OpenDirectory(path, failPoint: failPoint)
        let old = try directory.statusIfPresent(of: RefusedReplica.file, followingLinks: false)
        try directory.replaceFile(
            RefusedReplica.file, with: RefusedReplica.text(list), expecting: old?.identity)
    }

    private func forget(_ refused: RefusedReplica, of device: DeviceName) throws {
        guard let name = Self.refusedName(refused.checksum) else { return }
        try? opened(path(of: device))?.unlink(name)
    }

    private static func refusedName(_ checksum: String) -> FilePath.Component? {
        FilePath.Component("refused-\(checksum).json")
    }

    // MARK: - Files

    private func path(of device: DeviceName) -> FilePath { path.appending(device.component) }

    private func opened(_ path: FilePath) throws -> OpenDirectory? {
        try OpenDirectory.ifPresent(path, failPoint: failPoint)
    }

    @discardableResult
    private func place(
        _ contents: [UInt8], _ name: FilePath.Component, of device: DeviceName
    ) throws -> FileIdentity {
        try OpenDirectory.make(path(of: device))
        let directory = try OpenDirectory(path(of: device), failPoint: failPoint)
        let old = try directory.statusIfPresent(of: name, followingLinks: false)
        return try directory.replaceFile(name, with: contents, expecting: old?.identity)
    }

    /// Nil for a name that no version has.
    private static func checksum(of name: FilePath.Component) -> String? {
        let text = name.string
        guard text.hasSuffix(".json") else { return nil }
        let digits = text.dropLast(5)
        return digits.isChecksum ? String(digits) : nil
    }
}
