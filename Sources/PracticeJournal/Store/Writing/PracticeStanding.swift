internal import RecordFormat
internal import TraceFiles
internal import TraceStore

/// What stands of writes in a practice journal: by the ids of their records, which follow from their own, and by the log.
struct PracticeStanding {
    private(set) var found: [ULID: Standing] = [:]

    /// - Throws: ``FileError``.
    /// - Complexity: O(size of the document and of the log)
    init(of ids: Set<ULID>, _ opened: OpenedDocument, in directory: OpenDirectory) throws {
        let document = opened.document
        var writes: [UUIDText.Value: ULID] = [:]
        for id in ids {
            for role in DerivedID.Role.allCases {
                guard let value = DerivedID.id(of: id, role).uuidValue else { continue }
                writes[value] = id
            }
            if let value = LeagueImport.summaryID(of: id).uuidValue { writes[value] = id }
        }
        for array in PracticeArray.allCases.reversed() {
            for (index, id) in document.ids(of: array).enumerated() {
                guard let write = id?.uuidValue.flatMap({ writes[$0] }), found[write] == nil else { continue }
                found[write] = Standing(
                    isThere: true, record: JSONText.compacted(Array(document.text(of: array, index))))
            }
        }
        try addNoted(ids, in: SyncLog(directory))
        try addLogged(ids, in: directory)
    }

    /// What the log knows of the writes.
    private mutating func addNoted(_ ids: Set<ULID>, in log: SyncLog) throws {
        let prefixes = ids.map { (id: $0, text: SyncLine.prefix(of: $0)) }
        let noted = try log.writes { line in prefixes.contains { line.starts(with: $0.text) } }
        for text in noted {
            guard let write = SyncLine(text)?.write else { continue }
            if found[write.id] == nil {
                let made = NotedChange.all(in: text).filter { $0.kind == .added }.map(\.id)
                let isRemoved = try !made.isEmpty && log.isRemoved(made)
                found[write.id] = Standing(isThere: made.isEmpty, isRemoved: isRemoved)
            }
            found[write.id]?.checksum = write.checksum
        }
    }

    private mutating func addLogged(_ ids: Set<ULID>, in directory: OpenDirectory) throws {
        let missing = ids.filter { found[$0] == nil }
        // A log that is not one knows none of them; one that the system does not give out may know all.
        guard !missing.isEmpty, let contents = try directory.readFile(LibraryLogWriting.file)?.contents,
            let log = try? LibraryLog(contents)
        else { return }
        let known = Set(log.entries.map { UUIDText.key($0.id) })
        for id in missing where known.contains(UUIDText.key(DerivedID.id(of: id, .library))) {
            found[id] = Standing(isThere: true)
        }
    }
}

extension String {
    /// The bits of a UUID; nil for any other text.
    fileprivate var uuidValue: UUIDText.Value? {
        var text = self
        return text.withUTF8 { UUIDText.value(of: UnsafeRawBufferPointer($0)) }
    }
}
