internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// What repair needs of a session, as it is read under the session's lock.
///
/// Files that need no fix are not held in memory.
struct SessionContents {
    let session: SessionReader
    let directory: OpenDirectory
    /// `session.json`; nil if it can't be read.
    let header: FileContents?
    /// The files that exist, by their names.
    let files: Set<String>
    /// The conflict copies that are regular files and can be read, by name.
    let copies: [Copy]

    struct Copy {
        let name: FilePath.Component
        /// The name of the file that it is a copy of.
        let original: String
        let file: FileContents

        var text: String { name.escaped }
    }

    /// The most that is read of one file at once.
    static let limit: Int64 = 2 << 30

    init(of directory: OpenDirectory, settleTime: Duration) throws {
        self.directory = directory
        session = SessionReader(directory, settleTime: settleTime)
        header = try ifReadable {
            try directory.readFile(RecordKind.session.component, limit: SessionReader.maximumHeaderSize)
        }
        var files: Set<String> = []
        var named: [(name: FilePath.Component, original: String)] = []
        try directory.forEachName { name in
            let text = name.escaped
            if SessionLayout.files.contains(text) { files.insert(text) }
            if let original = JournalLayout.session.original(of: text) { named.append((name, original)) }
        }
        self.files = files
        copies = try named.sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }.compactMap {
            copy in
            let kind = try directory.statusIfPresent(of: copy.name, followingLinks: false)?.kind
            // A link or a directory of such a name is nothing that a sync tool makes.
            guard kind == .regular,
                let file = try ifReadable({ try directory.readFile(copy.name, limit: Self.limit) })
            else { return nil }
            return Copy(name: copy.name, original: copy.original, file: file)
        }
    }

    func copies(of file: String) -> [Copy] { copies.filter { $0.original == file } }

    /// Whether a file of lines can need a fix: it has copies, begins like a byte order mark, does not end a line, or has lines
    /// with values that are written otherwise than they should be, or in another order.
    ///
    /// - Returns: Nil if it is nothing that can be read, which is a finding.
    func file(of kind: RecordKind) throws -> File? {
        try ifReadable { try readFile(of: kind) }
    }

    private func readFile(of kind: RecordKind) throws -> File {
        guard let open = try directory.openRegularFile(kind.component) else { return .missing }
        let size = Int(open.identity.size)
        guard size > 0 else { return copies(of: kind.fileName).isEmpty ? .sound : try whole(kind) }
        let first = try directory.slice(of: kind.component, at: 0, count: 1)
        let last = try directory.slice(of: kind.component, at: size - 1, count: 1)
        let isSound = first != [0xEF] && last == [newline] && copies(of: kind.fileName).isEmpty
        return try isSound && !needsFix(kind) ? .sound : whole(kind)
    }

    private func needsFix(_ kind: RecordKind) throws -> Bool {
        struct NeedsFix: Error {}
        do {
            _ = try session.readLines(kind) { _ in
            } onFinding: { finding in
                if finding.isMisspelling || finding.isDisorder { throw NeedsFix() }
            }
            return false
        } catch is NeedsFix {
            return true
        }
    }

    /// A file of lines, whatever it holds.
    ///
    /// - Returns: Nil if it is nothing that can be read.
    func wholeIfReadable(_ kind: RecordKind) throws -> File? {
        try ifReadable { try whole(kind) }
    }

    private func whole(_ kind: RecordKind) throws -> File {
        try directory.readFile(kind.component, limit: Self.limit).map(File.whole) ?? .missing
    }

    /// `digest.md`, nil if there is none that can be read.
    func digest() throws -> FileContents? {
        try ifReadable { try directory.readFile(RecordKind.digestComponent, limit: Self.limit) }
    }

    enum File {
        case missing
        case sound
        case whole(FileContents)
    }
}

/// Nil if a file is nothing that this user can read; that the reading failed is another matter.
private func ifReadable<Value>(_ read: () throws -> Value?) throws -> Value? {
    do {
        return try read()
    } catch let error as FileError {
        let isFinding = [.permissionDenied, .notRegularFile, .leavesSession, .invalidData].contains(
            error.code)
        guard isFinding else { throw error }
        return nil
    }
}
