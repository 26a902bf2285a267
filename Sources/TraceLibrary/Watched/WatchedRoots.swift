internal import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceFormat
internal import TraceIndex

/// What a daemon knows of its index, once it has handled everything that was written before it was asked.
package struct WatchedRoots: Sendable, Hashable {
    /// Which file its index is. The daemon has it open, so that no other file has this identity.
    package let database: FileID
    /// All its roots. For those that are true, every session below is in the index as its files were when the daemon was asked, or
    /// as they have become since.
    package let roots: [FilePath: Bool]

    package init(database: FileID, roots: [FilePath: Bool]) {
        self.database = database
        self.roots = roots
    }

    /// Those of some roots whose sessions need not be compared with the index.
    ///
    /// A session belongs to the innermost of the roots that it is in. So a root also counts as unknown if other roots are in it here
    /// than there: the index has its sessions below others of them.
    package func known(of others: SessionRoots) -> Set<FilePath> {
        Set(
            others.paths.filter { root in
                roots[root] == true && Self.inner(roots.keys, root) == Self.inner(others.paths, root)
            })
    }

    /// Asks the daemon of an index.
    ///
    /// - Parameter ask: Nil if no daemon answers.
    /// - Returns: Nil unless it answers of the file that is open as this index. That one is open before the daemon is asked and until
    ///   the answer is here, so that no other can have got its number.
    /// - Throws: ``IndexError`` if the index can't be opened.
    static func known(of index: JournalIndex, asking ask: () -> WatchedRoots?) throws -> WatchedRoots? {
        guard let opened = try index.opened(), let watched = ask(), watched.database == opened.file,
            index.isStill(opened)
        else { return nil }
        return watched
    }

    private static func inner(_ paths: some Sequence<FilePath>, _ root: FilePath) -> Set<FilePath> {
        Set(paths.filter { $0 != root && $0.lies(in: root) })
    }

    // MARK: - As text

    /// A line for a client: `{"device":"66305","inode":"131","roots":{"/srv/trace/sessions":true}}`.
    ///
    /// The names of the roots have a character for each byte, of the same number, since the bytes of a path need not be text. Device
    /// and inode are in quotes, as JSON has no numbers of 64 bits for many readers.
    package var line: [UInt8] {
        let object = JSONText.object { object in
            object.member("device", JSONText(String(database.device)))
            object.member("inode", JSONText(String(database.inode)))
            object.member(
                "roots",
                .object { roots in
                    for (root, isKnown) in self.roots.sorted(by: {
                        $0.key.bytes.lexicographicallyPrecedes($1.key.bytes)
                    }) {
                        roots.member(Self.text(of: root), JSONText(isKnown))
                    }
                })
        }
        return object.bytes + [0x0A]
    }

    /// What a daemon says that does not know.
    package static let unknownLine = Array("{}\n".utf8)

    /// - Returns: Nil for ``unknownLine``, and for whatever is not a whole line of ``line``.
    init?(line: [UInt8]) {
        guard line.last == 0x0A, let parser = try? JSONParser() else { return nil }
        let parsed = try? parser.withParsed(Array(line)) { root -> WatchedRoots? in
            guard let device = root[name: "device"]?.string.flatMap({ UInt64($0) }),
                let inode = root[name: "inode"]?.string.flatMap({ UInt64($0) }),
                let object = root[name: "roots"], object.kind == .object
            else { return nil }
            var roots: [FilePath: Bool] = [:]
            for (name, value) in object.members {
                guard let path = Self.path(of: String(decoding: name, as: UTF8.self)),
                    let isKnown = value.boolean, roots.updateValue(isKnown, forKey: path) == nil
                else { return nil }
            }
            return WatchedRoots(database: FileID(device: device, inode: inode), roots: roots)
        }
        guard let found = parsed ?? nil else { return nil }
        self = found
    }

    private static func text(of path: FilePath) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: path.bytes.map { Unicode.Scalar($0) })
        return String(text)
    }

    private static func path(of text: String) -> FilePath? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value), byte != 0 else { return nil }
            bytes.append(byte)
        }
        let path = FilePath(bytes: bytes)
        return path.isAbsolute ? path : nil
    }
}
