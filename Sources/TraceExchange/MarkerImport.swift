package import RecordFormat
internal import TraceFiles
package import TraceFormat
package import TraceStore
internal import TraceText

/// Takes markers into a session that another program has written: those that are not there yet, all at once.
///
/// A marker is there where one of its id is, or one of the same offset and title, as fine as the file's format tells them
/// apart: importing a file twice adds its markers once.
///
/// Of each is kept the record that it becomes, as the line that is to be written, and what is needed to compare it.
package struct MarkerImport {
    private let format: any MarkerFormat
    private let now: Timestamp
    private let checker: RecordChecker
    private let decoder: RecordDecoder<Marker>
    private(set) var entries: [Entry] = []
    /// The records, each with its newline.
    private var lines: [UInt8] = []
    private var line: [UInt8] = []
    /// The file, by which a later import of it finds what this one brought.
    package var source: ImportedFile?
    /// Which entry has an id of its own; of an id that is twice the last counts, as in the session's own files.
    private(set) var bearers: [ULID: Int] = [:]
    /// Which entries name a voice note.
    private var voiceNotes: [Int: ULID] = [:]
    private var file = ""
    /// Why markers can't become records, each with its place. As long as there is any, nothing is written.
    private(set) var problems: [ExchangeProblem] = []

    /// A marker that was read.
    struct Entry {
        /// Where it is in the file that was read.
        var lineNumber: Int32
        var byteOffset: Int
        /// Where its record lies among the lines, without the newline.
        var start: Int
        var length: Int32
        var dedupKey: DedupKey
        var hasOwnID: Bool
        /// Whether the file says when it was made.
        var hasOwnTime: Bool
        /// Whether another one has its id.
        var isSuperseded = false

        var range: Range<Int> { start..<start + Int(length) }
    }

    /// The key by which two markers are duplicates.
    struct DedupKey: Hashable {
        var offset: SessionOffset
        /// Of the title, by the keyed hash of this process: that two titles at one offset share it is not to be expected.
        var title: Int
    }

    /// - Parameters:
    ///   - size: How many bytes the file has that is read.
    ///   - now: When the markers came, for those that don't say when they were made.
    /// - Throws: ``FormatError`` with `.memory`.
    package init(_ format: any MarkerFormat, size: Int = 0, now: Timestamp = Clock.now()) throws {
        self.format = format
        self.now = now
        checker = try RecordChecker(.marker)
        decoder = try RecordDecoder(.marker) { Marker($0) }
        // Room that is not used costs nothing, and growing would hold everything twice; a small machine refuses too much of it.
        lines.reserveCapacity(min(size, (512 << 20) / 5) * 5)
    }

    /// Takes a marker that was read; its offset counts from the session's start. One that can't become a record is a problem.
    package mutating func add(_ entry: ImportedMarker) {
        if let problem = take(entry) { problems.append(problem) }
    }

    /// Takes a marker that was read; its offset counts from the session's start.
    ///
    /// - Returns: Why it can't become a record, and is left out; nil if it can.
    mutating func take(_ entry: ImportedMarker) -> ExchangeProblem? {
        let marker = entry.marker(id: IDGenerator.next(), now: now)
        line.removeAll(keepingCapacity: true)
        // The record that was read, where it is whole.
        if let read = entry.line, entry.id != nil, entry.createdAt != nil, entry.source != nil {
            line += read
        } else {
            line += marker.json.bytes
        }
        if let problem = problem(of: line, at: entry.place) { return problem }
        if let id = entry.id, let older = bearers.updateValue(entries.count, forKey: id) {
            entries[older].isSuperseded = true
        }
        if let id = entry.voiceNoteID { voiceNotes[entries.count] = id }
        file = entry.place.file
        entries.append(
            Entry(
                lineNumber: Int32(clamping: entry.place.line), byteOffset: entry.place.byteOffset,
                start: lines.count, length: Int32(clamping: line.count), dedupKey: dedupKey(of: marker),
                hasOwnID: entry.id != nil, hasOwnTime: entry.createdAt != nil))
        line.append(newline)
        lines += line
        return nil
    }

    /// Why a line may not be in the session; nil if it may.
    func problem(of line: [UInt8], at place: Finding.Place) -> ExchangeProblem? {
        var first: Finding?
        PaddedBytes.withLine(line) { line in
            _ = checker.check(line) { if $0.severity == .error, first == nil { first = $0 } }
        }
        return first.map {
            ExchangeProblem(place, "\($0.message) [\($0.rule.id)]", cure: $0.rule.cure)
        }
    }

    /// The outcome of a marker.
    package enum Result: Equatable, Sendable {
        case added
        /// It is there.
        case alreadyThere
        /// One of its id is there, and is another: it stays as it is.
        case differs
        /// An earlier import of the file brought it, and it gets other values.
        case replaced
        /// An earlier import of the file brought it, and it was removed since: it stays away.
        case staysRemoved
    }

    /// The outcome of each, and what a person should know.
    package struct Plan {
        fileprivate let list: MarkerImport
        /// Of each entry; nil if another one has its id.
        fileprivate var results: [Result?] = []
        /// Records that are not as they were read.
        fileprivate var changed: [Int: [UInt8]] = [:]
        /// Those of them that have another id.
        fileprivate var renamed: Set<Int> = []
        fileprivate var isDone = false
        /// What an earlier import of the file brought, where that is replaced.
        fileprivate var replacement: MarkerReplacement?
        package fileprivate(set) var notices: [ImportNotice] = []

        /// The markers that are taken out, in the order of their offsets.
        package var removed: [Marker] { replacement?.removed ?? [] }
        /// Whether what an earlier import brought is replaced.
        var isReplacing: Bool { replacement != nil }
        /// Whether there is nothing to write.
        package var changesNothing: Bool {
            removed.isEmpty && !results.contains { $0 == .added || $0 == .replaced }
        }

        package func count(_ result: Result) -> Int { results.count { $0 == result } }

        fileprivate func line(_ number: Int) -> ArraySlice<UInt8> {
            changed[number].map { $0[...] } ?? list.lines[list.entries[number].range]
        }
    }

    // MARK: - Planning

    /// Compares with what is there.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size of the session) in time; memory is that of the entries and of ``OrderedMarkers``.
    ///
    /// - Parameter earlier: What an earlier import brought that is replaced; nil for none.
    package func plan(in session: SessionReader, replacing earlier: EarlierImport? = nil) throws -> Plan {
        let replacement = try earlier.map { try MarkerReplacement(of: $0, by: self) }
        var there: [ULID: DedupKey] = [:]
        var alike: [DedupKey: Int] = [:]
        var wanted: Set<DedupKey>?
        try OrderedMarkers(in: session).forEach { marker in
            if replacement?.isGivenAgain(marker.id) ?? false { return }
            let own = dedupKey(of: marker)
            if bearers[marker.id] != nil {
                there[marker.id] = own
                return
            }
            let known = wanted ?? Set(entries.lazy.map(\.dedupKey))
            wanted = known
            if known.contains(own) { alike[own, default: 0] += 1 }
        }
        var plan = Plan(list: self)
        plan.replacement = replacement
        plan.notices = replacement?.notices ?? []
        plan.results.reserveCapacity(entries.count)
        let named = Set(voiceNotes.values)
        let known = named.isEmpty ? [] : try ids(of: .voiceNote, in: session) { named.contains($0) }
        var taken: Set<ULID> = []
        for kind in RecordKind.lines where kind != .marker && !bearers.isEmpty {
            taken.formUnion(try ids(of: kind, in: session) { bearers[$0] != nil && there[$0] == nil })
        }
        let ids = Dictionary(
            uniqueKeysWithValues: (taken.union(there.keys)).compactMap { id in bearers[id].map { ($0, id) } })
        var unlinked = 0
        var renamed: [ULID] = []
        for (number, entry) in entries.enumerated() {
            if entry.isSuperseded {
                plan.results.append(nil)
                continue
            }
            if let result = replacement?.results[number] {
                plan.results.append(result)
                continue
            }
            if let id = ids[number], let other = there[id] {
                plan.results.append(other == entry.dedupKey ? .alreadyThere : .differs)
                continue
            }
            if !alike.isEmpty, let count = alike[entry.dedupKey], count > 0 {
                alike[entry.dedupKey] = count - 1
                plan.results.append(.alreadyThere)
                continue
            }
            plan.results.append(.added)
            let isTaken = ids[number] != nil
            let isUnlinked = voiceNotes[number].map { !known.contains($0) } ?? false
            guard isTaken || isUnlinked, var marker = decoder.decode(Array(lines[entry.range]))?.value else {
                continue
            }
            if isTaken {
                renamed.append(marker.id)
                marker.id = IDGenerator.next()
                plan.renamed.insert(number)
            }
            if isUnlinked {
                unlinked += 1
                marker.voiceNoteID = nil
            }
            plan.changed[number] = marker.json.bytes
        }
        if let first = renamed.first {
            plan.notices.append(
                ImportNotice(
                    .id, count: renamed.count, names: renamed.prefix(10).map(\.description),
                    renamed.count == 1
                        ? "the id \(first) already belongs to another record; the marker gets a new one"
                        : "\(renamed.count) ids already belong to other records; the markers get new ones"))
        }
        if unlinked > 0 {
            plan.notices.append(
                ImportNotice(
                    .voiceNote, count: unlinked,
                    "\(unlinked) marker\(unlinked == 1 ? " names a voice note" : "s name voice notes") that the session does not have; the reference is omitted"
                ))
        }
        return plan
    }

    func dedupKey(of marker: Marker) -> DedupKey {
        DedupKey(
            offset: format.resolved(marker.offset), title: Self.simplified(format.title(of: marker)).hashValue
        )
    }

    /// The record of an entry, as it was read.
    func line(of entry: Entry) -> [UInt8] { Array(lines[entry.range]) }

    /// White space is not a difference.
    private static func simplified(_ title: String) -> String {
        var last: UInt8 = 0x20
        // Most titles are words with a space between them.
        let isSimple = title.utf8.allSatisfy { byte in
            defer { last = byte }
            return byte > 0x20 && byte < 0x7F || byte == 0x20 && last != 0x20
        }
        if isSimple, last != 0x20 { return title }
        return title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func ids(
        of kind: RecordKind, in session: SessionReader, where isWanted: @escaping (ULID) -> Bool
    ) throws -> Set<ULID> {
        var found: Set<ULID> = []
        try session.read(kind) { record in
            if let id = record.id, isWanted(id) { found.insert(id) }
        }
        return found
    }

    // MARK: - Writing

    /// Appends what is not there yet.
    ///
    /// - Returns: The outcome of each; those that were added have their ids.
    /// - Throws: ``FileError``; if only `session.json` could not be updated, the markers are in the session, and a notice says so.
    /// - Note: Durable on return: all of them in one append. Killed in between, none of them stand, or the first ones, or all;
    ///   the same again adds the rest.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    package func run(_ writer: SessionWriter) throws -> Plan { try run(writer, as: nil) }

    /// As ``run(_:)``, and compares before it takes the session's lock: who marks meanwhile waits for the append alone.
    ///
    /// If the session has changed between the two, it is compared again; one that never rests is compared under its lock in the end.
    package func runBesideOthers(_ writer: SessionWriter) throws -> Plan {
        let session = try SessionReader(writer.path)
        var attemptsLeft = 5
        while attemptsLeft > 0 {
            attemptsLeft -= 1
            let state = try ComparedFiles(of: session.directory)
            let plan = try plan(in: session)
            do { return try run(writer, as: (plan, state)) } catch is Changed {}
        }
        return try run(writer)
    }

    /// What a session's files were when markers were compared with them.
    private struct ComparedFiles: Equatable {
        private let files: [FileIdentity?]

        init(of directory: OpenDirectory) throws {
            files = try RecordKind.lines.map {
                try directory.statusIfPresent(of: $0.component, followingLinks: true)?.identity
            }
        }
    }

    /// Somebody has written into the session since it was compared.
    private struct Changed: Error {}

    /// - Parameter compared: What was found before, and the state of the session then.
    private func run(_ writer: SessionWriter, as compared: (plan: Plan, state: ComparedFiles)?) throws -> Plan
    {
        if let problem = problems.first { throw FileError(.invalidData, problem.description) }
        return try writer.recorded(.importMarkers) { session in
            try session.finishLastLine(of: .marker)
            if let compared, try ComparedFiles(of: session.directory) != compared.state { throw Changed() }
            var plan = try compared?.plan ?? self.plan(in: SessionReader(session.directory))
            plan.isDone = true
            let count = plan.count(.added)
            guard count > 0 else {
                // Visible is not durable, and an import that was killed may have stopped before session.json.
                if !entries.isEmpty {
                    try session.directory.makeDurable(RecordKind.marker.component)
                    if try session.isHeaderBehind(.marker) {
                        plan.notices += Self.notices(session.finish("the markers were written"))
                    }
                }
                return plan
            }
            let noted = try session.append(
                together: plan.added, count: count, to: .marker, notedIn: writer.undoLog, from: source)
            plan.notices += Self.notices(noted + session.finish("the markers were written"))
            return plan
        }
    }

    /// As ``run(_:)``, in place of what an earlier import brought, in one write of the undo log.
    ///
    /// - Throws: ``StoreError`` with `.noSuchImport`; ``FileError``.
    /// - Note: Durable on return. Killed in between, all of it has been done or nothing, and the same again does it once.
    ///
    /// Source: docs/exchange.md#correcting-an-import.
    package func run(_ writer: SessionWriter, replacing choice: ReplacedImport) throws -> Plan {
        if let problem = problems.first { throw FileError(.invalidData, problem.description) }
        guard let source else { throw FileError(.invalidData, "the file that is imported is not known") }
        var (plan, notices) = try writer.replaceImport(choice, by: source) { earlier, session in
            let plan = try self.plan(in: session, replacing: earlier)
            var exchange = plan.replacement?.exchange ?? LineExchange()
            exchange.count += plan.count(.added)
            exchange.added += plan.added
            return (plan, exchange)
        }
        plan.isDone = true
        plan.notices += Self.notices(notices)
        return plan
    }

    private static func notices(_ messages: [String]) -> [ImportNotice] {
        messages.map { ImportNotice(.session, $0) }
    }
}

extension MarkerImport.Plan {
    /// A marker, the outcome of it, and where it is in the file that was read.
    package struct Item {
        package var marker: Marker
        /// Its own, or the one that it got when it was added.
        var id: ULID?
        var place: Finding.Place
        package var result: MarkerImport.Result
    }

    /// The outcome of each, in the order of the file; a marker is made of its record when it is asked for.
    package var items: some Sequence<Item> {
        list.entries.indices.lazy.compactMap { number in
            let current = replacement?.lines[number] ?? Array(line(number))
            guard let result = results[number], let marker = list.marker(current) else {
                return nil
            }
            let (place, hasOwnID) = list.origin(number)
            let isKnown =
                hasOwnID && !renamed.contains(number) || isDone && result == .added
                || replacement?.lines[number] != nil
            return Item(marker: marker, id: isKnown ? marker.id : nil, place: place, result: result)
        }
    }

    /// The lines that are to be appended, each with its newline.
    fileprivate var added: [UInt8] {
        if changed.isEmpty, results.allSatisfy({ $0 == .added }) { return list.lines }
        var lines: [UInt8] = []
        lines.reserveCapacity(list.lines.count)
        for (number, result) in results.enumerated() where result == .added {
            lines += line(number)
            lines.append(newline)
        }
        return lines
    }
}

extension MarkerImport {
    func marker(_ line: [UInt8]) -> Marker? { decoder.decode(line)?.value }

    fileprivate func origin(_ number: Int) -> (place: Finding.Place, hasOwnID: Bool) {
        let entry = entries[number]
        return (
            Finding.Place(file: file, line: Int(entry.lineNumber), byteOffset: entry.byteOffset),
            entry.hasOwnID
        )
    }
}
