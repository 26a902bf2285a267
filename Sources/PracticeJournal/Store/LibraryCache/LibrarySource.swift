internal import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// From where a library's cache is fetched: a place on the web, or a copy in a directory.
package struct LibrarySource: Sendable, CustomStringConvertible {
    private let place: Place

    private enum Place {
        /// Scheme and host, and the path below which the manifest is, with slashes around it.
        case web(origin: String, path: String)
        case directory(FilePath)
    }

    /// As a person gives it, and as it is remembered.
    package let description: String

    /// - Parameter address: That of the manifest, or of what it is in.
    /// - Throws: ``FormatError`` with `.recordInvalid` if it is not an address on the web.
    init(address: String) throws(FormatError) {
        var text = address.trimmed
        if text.hasSuffix(CacheManifest.fileName) { text.removeLast(CacheManifest.fileName.count) }
        let lower = text.lowercased()
        let scheme = ["https://", "http://"].first(where: lower.hasPrefix)
        let rest = text.dropFirst(scheme?.count ?? 0)
        let host = rest.prefix { $0 != "/" }
        let isPlain = text.utf8.allSatisfy {
            (0x21...0x7E).contains($0) && !"\"<>\\^`{|}?#".utf8.contains($0)
        }
        guard let scheme, !host.isEmpty, isPlain else {
            throw FormatError(
                .recordInvalid, "'\(address)' is not an address on the web",
                cure: "give the address in which \(CacheManifest.fileName) is: https://example.org/pinball/")
        }
        var path = String(rest.dropFirst(host.count))
        if !path.hasSuffix("/") { path += "/" }
        place = .web(origin: scheme + host, path: path)
        description = scheme + host + path
    }

    /// A copy.
    package init(directory: FilePath) {
        place = .directory(directory)
        description = directory.escaped
    }

    /// What was remembered of the last one.
    init?(remembered text: String) {
        if text.hasPrefix("/") { self.init(directory: FilePath(text)) } else { try? self.init(address: text) }
    }

    /// Whether it can be asked without a thought for others.
    var isLocal: Bool {
        if case .directory = place { true } else { false }
    }

    /// A file beside the manifest.
    ///
    /// - Returns: Nil if there is none.
    /// - Throws: ``FileError``.
    func contents(ofMetadata name: String, limit: Int) throws -> [UInt8]? {
        switch place {
        case .web(let origin, let path):
            try WebDownload.contents(of: origin + path + name, limit: limit)
        case .directory(let directory): try Self.file(name, in: directory, limit: limit)
        }
    }

    /// A file of the manifest.
    ///
    /// - Parameter address: As the manifest has it; with a slash before it, it counts from the host on.
    func contents(of address: String, at path: CachePath, limit: Int) throws -> [UInt8]? {
        switch place {
        case .web(let origin, let base):
            let encoded = path.names.map { PercentEncoding.encoded($0.utf8) }.joined(separator: "/")
            return try WebDownload.contents(
                of: origin + (address.hasPrefix("/") ? "/" : base) + encoded, limit: limit)
        case .directory(let directory):
            if let found = try Self.file(path.text, in: directory, limit: limit) { return found }
            // A copy of a folder of the web site has paths that begin with its own name; a copy of another journal's, the known files
            // beside the manifest.
            if directory.lastComponent?.string == path.names.first,
                let found = try Self.file(
                    path.names.dropFirst().joined(separator: "/"), in: directory, limit: limit)
            {
                return found
            }
            guard let known = path.names.last.flatMap(LibraryDataFile.init) else { return nil }
            return try Self.file(known.rawValue, in: directory, limit: limit)
        }
    }

    private static func file(_ path: String, in directory: FilePath, limit: Int) throws -> [UInt8]? {
        let full = directory.pushing(FilePath(path))
        guard let name = full.lastComponent, !path.isEmpty,
            let parent = try? OpenDirectory(full.removingLastComponent())
        else { return nil }
        return try parent.readFile(name, limit: Int64(limit))?.contents
    }
}
