package import RecordFormat
internal import TraceText

/// What a library's cache has: its files with their checksums.
///
/// Source: docs/spec/practice.md#the-cache.
package struct CacheManifest: Sendable {
    static let fileName = "cache-manifest.json"
    /// The largest manifest or log of updates that is read, in bytes.
    static let limit = 16 << 20

    package struct File: Sendable {
        /// As the manifest has it: what is asked for.
        let address: String
        /// SHA-256, in hexadecimal digits in lower case.
        package let checksum: String
        /// In bytes; nil if the manifest does not say.
        let size: Int64?
    }

    package private(set) var files: [CachePath: File] = [:]
    /// What of it is not a file that can be fetched, and why.
    private(set) var left: [String] = []

    /// - Throws: ``FormatError`` if the text is not a manifest: with the place where it stops being JSON.
    package init(_ text: [UInt8]) throws(FormatError) {
        let root = try Self.parsed(text, Self.fileName) { root -> CacheManifest? in
            guard let listed = root[name: "files"], listed.kind == .object else { return nil }
            var manifest = CacheManifest()
            for (name, value) in listed.members {
                manifest.add(String(decoding: name, as: UTF8.self), value)
            }
            return manifest
        }
        guard let root else {
            throw FormatError(.recordInvalid, "\(Self.fileName): has no object 'files'")
        }
        self = root
    }

    private init() {}

    private mutating func add(_ address: String, _ value: JSONValue) {
        guard let path = CachePath(address) else {
            return left.append("\(address): is not a path below the library")
        }
        guard let hash = value[name: "hash"]?.string?.lowercased(), hash.isChecksum else {
            return left.append("\(address): has no SHA-256")
        }
        files[path] = File(address: address, checksum: hash, size: value[name: "size"]?.integer)
    }

    /// Leaves files out.
    ///
    /// - Parameter reason: Why one is left out; nil for those that stay.
    mutating func leave(_ reason: (CachePath) -> String?) {
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            guard let reason = reason(path) else { continue }
            left.append("\(file.address): \(reason)")
            files[path] = nil
        }
    }

    /// The library itself: the newest app's catalogue, else the older library; nil if the manifest has neither.
    var library: (path: CachePath, file: LibraryDataFile)? {
        LibraryDataFile.primary.lazy.compactMap { file in path(of: file).map { ($0, file) } }.first
    }

    /// The path of a known file.
    func path(of file: LibraryDataFile) -> CachePath? {
        files.keys.filter { $0.names.last == file.rawValue }.min()
    }

    /// The known files that it has, by their paths.
    var knownFiles: [CachePath: LibraryDataFile] {
        var known: [CachePath: LibraryDataFile] = [:]
        for path in files.keys.sorted() {
            guard let file = path.names.last.flatMap(LibraryDataFile.init), file.isFetched,
                !known.values.contains(file)
            else { continue }
            known[path] = file
        }
        return known
    }

    static func parsed<Value>(
        _ text: [UInt8], _ name: String, _ read: (JSONValue) -> Value
    ) throws(FormatError) -> Value {
        do { return try JSONParser().withParsed(text, read) } catch let error as FormatError {
            throw FormatError(.recordInvalid, "\(name): \(error.message)", cure: error.cure)
        } catch {
            throw FormatError(.recordInvalid, "\(name): \(error)")
        }
    }
}

/// What came and went in a library's cache.
package struct CacheUpdateLog: Sendable {
    static let fileName = "cache-update-log.json"

    package struct Event: Sendable {
        /// As the log has it; what tells one event from another.
        let generatedAt: String
        package let removed: [CachePath]
    }

    /// The newest first.
    package let events: [Event]

    /// - Throws: ``FormatError`` if the text is not such a log.
    package init(_ text: [UInt8]) throws(FormatError) {
        let events = try CacheManifest.parsed(text, Self.fileName) { root -> [Event]? in
            guard let list = root[name: "events"], list.kind == .array else { return nil }
            return list.elements.compactMap { event in
                guard let generatedAt = event[name: "generatedAt"]?.string else { return nil }
                let removed = event[name: "removed"]?.elements.compactMap {
                    $0.string.flatMap(CachePath.init)
                }
                return Event(generatedAt: generatedAt, removed: removed ?? [])
            }
        }
        guard let events else { throw FormatError(.recordInvalid, "\(Self.fileName): has no array 'events'") }
        self.events = events
    }
}

/// Names in a library's directory.
enum LibraryCacheNames {
    static let folder = "library"
}
