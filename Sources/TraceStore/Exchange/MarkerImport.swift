package import TraceFormat

/// Takes markers into a session that another program has written: those that are not there yet, all at once.
///
/// A marker is there where one of its id is, or one of the same offset and title, as fine as the file's format tells them
/// apart: whoever imports a file twice has its markers once.
package struct MarkerImport: Sendable {
    private let entries: [ImportedMarker]
    private let format: any MarkerFormat
    private let now: Timestamp

    /// - Parameters:
    ///   - entries: Their offsets count from the session's start.
    ///   - now: When they came, for those that don't say when they were made.
    package init(_ entries: [ImportedMarker], _ format: any MarkerFormat, now: Timestamp = Clock.now()) {
        // Of an id that stands twice the last counts, as in the session's own files.
        var last: [ULID: Int] = [:]
        for (index, entry) in entries.enumerated() { if let id = entry.id { last[id] = index } }
        self.entries = entries.enumerated().filter { index, entry in
            entry.id.map { last[$0] == index } ?? true
        }.map(\.element)
        self.format = format
        self.now = now
    }

    /// What becomes of a marker.
    package enum Result: Equatable, Sendable {
        case added
        /// It is there.
        case alreadyThere
        /// One of its id is there, and is another: it stays as it is.
        case differs
    }

    /// What becomes of each, and what a person should know.
    package struct Plan: Sendable {
        package var markers: [(entry: ImportedMarker, result: Result)] = []
        package var notices: [String] = []

        package func count(_ result: Result) -> Int { markers.count { $0.result == result } }
    }

    // MARK: - Planning

    /// Compares with what is there.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(size of the session) in time; memory is that of the entries and of ``OrderedMarkers``.
    package func plan(in session: OpenSession) throws -> Plan {
        var ids = Set(entries.compactMap(\.id))
        var there: [ULID: Likeness] = [:]
        var alike: [Likeness: Int] = [:]
        let wanted = Set(entries.map { likeness(of: $0) })
        try OrderedMarkers(in: session).forEach { marker in
            let own = likeness(of: marker)
            if ids.contains(marker.id) {
                there[marker.id] = own
            } else if wanted.contains(own) {
                alike[own, default: 0] += 1
            }
        }
        var plan = Plan()
        let voiceNotes = try self.ids(
            of: .voiceNote, among: Set(entries.compactMap(\.voiceNoteID)), in: session)
        ids.subtract(there.keys)
        let taken = try RecordKind.lines.filter { $0 != .marker }.reduce(into: Set<ULID>()) { taken, kind in
            taken.formUnion(try self.ids(of: kind, among: ids, in: session))
        }
        var unlinked = 0
        for var entry in entries {
            let own = likeness(of: entry)
            if let id = entry.id, let other = there[id] {
                plan.markers.append((entry, other == own ? .alreadyThere : .differs))
                continue
            }
            if let count = alike[own], count > 0 {
                alike[own] = count - 1
                plan.markers.append((entry, .alreadyThere))
                continue
            }
            if let id = entry.id, taken.contains(id) {
                plan.notices.append("the id \(id) is that of another record here; the marker gets a new one")
                entry.id = nil
                entry.line = nil
            }
            if let id = entry.voiceNoteID, !voiceNotes.contains(id) {
                unlinked += 1
                entry.voiceNoteID = nil
                entry.line = nil
            }
            plan.markers.append((entry, .added))
        }
        if unlinked > 0 {
            plan.notices.append(
                "\(unlinked) marker\(unlinked == 1 ? " names a voice note" : "s name voice notes") that the session does not have; the reference is left out"
            )
        }
        return plan
    }

    /// What two markers that are the same have in common.
    private struct Likeness: Hashable {
        var offset: SessionOffset
        var title: String
    }

    private func likeness(of marker: Marker) -> Likeness {
        Likeness(offset: format.resolved(marker.offset), title: Self.simplified(format.title(of: marker)))
    }

    private func likeness(of entry: ImportedMarker) -> Likeness {
        likeness(of: entry.marker(id: Self.noID, now: now))
    }

    private static let noID = ULID(milliseconds: 0, digest: [])

    /// White space is no difference.
    private static func simplified(_ title: String) -> String {
        title.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func ids(of kind: RecordKind, among wanted: Set<ULID>, in session: OpenSession) throws -> Set<
        ULID
    > {
        guard !wanted.isEmpty else { return [] }
        var found: Set<ULID> = []
        _ = try session.read(kind) { record in
            if let id = record.id, wanted.contains(id) { found.insert(id) }
        } onFinding: { _ in
        }
        return found
    }

    /// The record that an entry becomes: the one that was read, where it is whole.
    private func line(of entry: ImportedMarker) -> [UInt8] {
        if let line = entry.line, entry.id != nil, entry.createdAt != nil, entry.source != nil { return line }
        return entry.marker(id: IDMint.next(), now: now).json.bytes
    }

    /// Why entries can't become records, each with its place.
    package func problems() throws -> [ExchangeProblem] {
        let checker = try RecordChecker(.marker)
        return entries.compactMap { entry in
            var problem: ExchangeProblem?
            PaddedBytes.withLine(line(of: entry)) { line in
                _ = checker.check(line) { finding in
                    guard finding.severity == .error, problem == nil else { return }
                    problem = ExchangeProblem(
                        entry.place, "\(finding.message) [\(finding.rule.id)]", hint: finding.rule.cure)
                }
            }
            return problem
        }
    }

    // MARK: - Writing

    /// Appends what is not there yet.
    ///
    /// - Returns: What became of each; those that were added bear their ids.
    /// - Throws: ``StoreError``; if only `session.json` could not be updated, the markers stand and the error says so.
    /// - Note: Durable on return: all of them in one append. Killed in between, none of them stand, or the first ones, or all;
    ///   the same again adds the rest.
    ///
    /// Source: format.md, "What each operation writes", mark.
    package func run(_ writer: SessionWriter) throws -> Plan {
        try writer.recorded(.importMarkers) { session in
            try session.finishLastLine(of: .marker)
            var plan = try plan(in: OpenSession(session.directory))
            var lines: [[UInt8]] = []
            for index in plan.markers.indices where plan.markers[index].result == .added {
                let line = line(of: plan.markers[index].entry)
                try RecordCheck.require(line, toBe: .marker)
                plan.markers[index].entry.id = RecordCheck.id(of: line)
                lines.append(line)
            }
            guard !lines.isEmpty else {
                // Visible is not durable, and an import that was killed may have stopped before session.json.
                if !plan.markers.isEmpty {
                    try session.directory.makeDurable(RecordKind.marker.component)
                    if try session.isHeaderBehind(.marker) { try session.touch(after: "the markers stand") }
                }
                return plan
            }
            plan.notices += try session.append(together: lines, to: .marker, keptIn: writer.journal)
            try session.touch(after: "the markers stand")
            return plan
        }
    }
}

extension LockedSession {
    /// Appends checked records in one `write`.
    ///
    /// - Returns: As ``append(_:to:)``.
    fileprivate func append(
        together lines: [[UInt8]], to kind: RecordKind, keptIn journal: UndoJournal?
    ) throws -> [String] {
        let kept = try journal?.keep(Array(lines.joined(separator: [newline])), as: kind.component)
        let ids = Set(lines.compactMap { RecordCheck.id(of: $0) })
        let appended = try lock.appendLines(lines, to: kind.component, isWholeRecord: RecordCheck.isObject) {
            line in
            RecordCheck.id(of: Array(line)).map(ids.contains) ?? false
        }
        if let kept { recorder?.add(.appendedTogether(kind, count: lines.count, kept: kept)) }
        guard let torn = appended.tornTail else { return [] }
        return [
            "\(kind.fileName) (byte \(torn.offset)): \(torn.length) bytes of a torn line were left as they are"
        ]
    }
}
