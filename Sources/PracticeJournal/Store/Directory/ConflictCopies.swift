internal import RecordFormat
internal import SystemPackage
internal import TraceFiles

/// The copies of a journal's files that sync tools have left, where two of them changed a file.
struct ConflictCopies {
    struct Copy {
        let name: FilePath.Component
        /// The file that it is a copy of.
        let original: String
    }

    /// By their names.
    let all: [Copy]

    /// - Throws: ``FileError`` if the directory can't be listed.
    init(in directory: OpenDirectory) throws {
        var copies: [Copy] = []
        try directory.forEachName { name in
            guard let original = JournalLayout.practice.original(of: name.escaped) else { return }
            copies.append(Copy(name: name, original: original))
        }
        all = copies.sorted { $0.name.escaped < $1.name.escaped }
    }

    var findings: [Finding] { all.map { .conflictCopy($0.name.escaped) } }

    func copies(of file: FilePath.Component) -> [Copy] { all.filter { $0.original == file.string } }

    /// The lines of the log's copies that a log lacks.
    ///
    /// - Parameter contents: Those of a copy.
    /// - Throws: ``FileError``.
    func lines(
        notIn log: [[UInt8]], _ contents: (Copy) throws -> [UInt8]?
    ) throws -> [[UInt8]] {
        var known = Set(log)
        var lines: [[UInt8]] = []
        for copy in copies(of: SyncLog.file) {
            for line in try contents(copy)?.split(separator: 0x0A) ?? [] {
                let line = Array(line)
                if SyncLine(line) != nil, known.insert(line).inserted { lines.append(line) }
            }
        }
        return lines
    }
}
