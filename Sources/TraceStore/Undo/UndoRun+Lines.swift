internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Lines that are taken out of a session's files, or put back: each file is read once to check all of its lines, and
/// replaced once.
extension UndoRun {
    /// The lines of a kind that are to go, record by record.
    func linesToRemove(of kind: RecordKind) throws -> [ULID: [NotedLine]] {
        var noted: [ULID: [NotedLine]] = [:]
        for change in write.changes {
            switch change {
            case .appended(kind, let id, let line): noted[id, default: []].append(line)
            case .appendedTogether(kind, _, let kept):
                let file = try RecordLines(contents(kept: kept), kind: kind)
                for line in file.lines {
                    guard let id = line.facts?.id else { continue }
                    noted[id, default: []].append(NotedLine(whole: Array(file.text(of: line))))
                }
            default: break
            }
        }
        for entry in applied where entry.kind.recordKind == kind {
            noted[entry.id, default: []].append(NotedLine(whole: entry.payload))
        }
        return noted
    }

    /// A checksum of the lines of the write's records, by their kind: whether a redo finds what the undo has left.
    func checksums(in session: LockedSession) throws -> [RecordKind: String] {
        var sums: [RecordKind: String] = [:]
        for kind in RecordKind.allCases {
            var ids = Set(try linesToRemove(of: kind).keys)
            ids.formUnion(try removedLines(of: kind).map(\.id))
            if !ids.isEmpty { sums[kind] = Self.checksum(of: try session.lines(of: ids, in: kind)) }
        }
        return sums
    }

    static func checksum(of records: [ULID: [[UInt8]]]) -> String {
        let lines = records.sorted { $0.key < $1.key }.flatMap(\.value)
        return UndoableWrite.checksum(of: Array(lines.joined(separator: [newline])))
    }

    /// Whether all lines of the write are there, and whatever else of it an undo would take back. Another program may have edited them, if
    /// it is the write that made their records.
    func isUntouched(in session: SessionReader) throws -> Bool {
        guard entries.waiting.count + applied.count == Set(write.queued).count else { return false }
        let created = Set(createdRecords)
        var isUntouched = false
        for kind in RecordKind.allCases {
            let noted = try linesToRemove(of: kind)
            if noted.isEmpty { continue }
            let existing = try session.lines(of: Set(noted.keys), in: kind)
            for (id, lines) in noted {
                let there = existing[id] ?? []
                guard
                    created.contains(id)
                        ? !there.isEmpty : NotedLine.count(of: lines, atEndOf: there) == lines.count
                else { return false }
                isUntouched = true
            }
        }
        for case .media(let path, _, _) in write.changes {
            guard let names = MediaPath.components(of: path),
                (try? FileStatus(of: names.reduce(session.directory.path) { $0.appending($1) })) != nil
            else { return false }
        }
        return isUntouched
    }

    func takeOut(_ kind: RecordKind, _ session: LockedSession) throws -> UndoStep? {
        let path = session.directory.path(of: kind.component)
        var noted = try linesToRemove(of: kind)
        if !isDryRun {
            try session.finishLastLine(of: kind) { [noted] id in id.map { noted[$0] != nil } ?? false }
        }
        let existing = try session.lines(of: Set(noted.keys), in: kind)
        let entryIDs = Set(applied.map(\.id))
        var gone: Set<ULID> = []
        for id in noted.keys.sorted() {
            guard let lines = noted[id] else { continue }
            let there = existing[id] ?? []
            let count = NotedLine.count(of: lines, atEndOf: there)
            if count > 0, there.count == count { gone.insert(id) }
            if count == lines.count { continue }
            let stands = there.contains { line in lines.contains { $0.matches(line) } }
            let isTakenBack =
                isHalfUndone && (count > 0 || !stands) || there.isEmpty && entryIDs.contains(id)
            guard isTakenBack else {
                throw stands || entryIDs.contains(id)
                    ? editedError(kind, id, path) : missingError(kind, id, path)
            }
            noted[id] = count > 0 ? Array(lines.prefix(count)) : nil
        }
        guard let first = noted.keys.min() else { return nil }
        try requireUnreferenced(kind, gone, session)
        let count = noted.values.reduce(0) { $0 + $1.count }
        let what = counted(count, "line") + (count == 1 ? " (\(kind.noun) \(first))" : "")
        return UndoStep(.remove, "\(what) from \(kind.fileName)") { [noted] in
            try session.removeLines(from: kind) { file in
                var existing: [ULID: [RecordLine]] = [:]
                for line in file.lines {
                    if let id = line.facts?.id, noted[id] != nil { existing[id, default: []].append(line) }
                }
                return try noted.flatMap { id, lines in
                    let last = (existing[id] ?? []).suffix(lines.count)
                    guard last.count == lines.count,
                        zip(last, lines).allSatisfy({ $1.matches(file.text(of: $0)) })
                    else { throw editedError(kind, id, path) }
                    return last
                }
            }
            return []
        }
    }

    /// Records that go must not be named by one that stays.
    private func requireUnreferenced(
        _ kind: RecordKind, _ gone: Set<ULID>, _ session: LockedSession
    ) throws {
        guard kind == .marker || kind == .voiceNote, !gone.isEmpty else { return }
        let other: RecordKind = kind == .marker ? .voiceNote : .marker
        let own = try linesToRemove(of: other)
        let referring = try session.referring(to: gone, in: other) { id, line in
            own[id]?.contains { $0.matches(line) } ?? false
        }
        guard let first = referring.first else { return }
        throw unsafe(
            "\(kind.noun) \(first.names) is named by \(other.noun) \(first.record)",
            session.directory.path(of: other.component),
            cure: kind == .marker
                ? "\(verb: "marker remove \(first.names) --force") drops the reference" : nil)
    }

    /// The records of a kind whose lines are to be put back.
    func removedLines(of kind: RecordKind) throws -> [(id: ULID, lines: [[UInt8]])] {
        try write.changes.flatMap { change -> [(id: ULID, lines: [[UInt8]])] in
            switch change {
            case .removed(kind, let id, let lines): return [(id, lines)]
            case .removedTogether(kind, _, let place):
                return try RecordLines(contents(kept: place), kind: kind).linesByRecord
            default: return []
            }
        }
    }

    func putBack(_ kind: RecordKind, _ session: LockedSession) throws -> UndoStep? {
        let removed = try removedLines(of: kind)
        let existing = try session.lines(of: Set(removed.map(\.id)), in: kind)
        var missing: [[UInt8]] = []
        for (id, lines) in removed.reversed() {
            let there = existing[id] ?? []
            // A removal, or an undo of it, that was killed: some of the lines are there, or all.
            guard there.count <= lines.count, there == Array(lines.prefix(there.count)) else {
                throw unsafe(
                    "\(kind.noun) \(id) has different lines now", session.directory.path(of: kind.component))
            }
            missing += lines.dropFirst(there.count)
        }
        guard !missing.isEmpty else { return nil }
        let what = counted(missing.count, "line")
        let whose = removed.count == 1 ? " (\(kind.noun) \(removed[0].id))" : ""
        return UndoStep(.restore, "\(what)\(whose) in \(kind.fileName)") { [missing] in
            try session.append(
                together: Array((missing + [[]]).joined(separator: [newline])), count: missing.count, to: kind
            )
        }
    }
}

extension RecordLines {
    /// The lines of each record that has an id, in the order of their first lines.
    var linesByRecord: [(id: ULID, lines: [[UInt8]])] {
        var places: [ULID: Int] = [:]
        var records: [(id: ULID, lines: [[UInt8]])] = []
        for line in lines {
            guard let id = line.facts?.id else { continue }
            let place = places[id] ?? records.count
            if place == records.count {
                places[id] = place
                records.append((id, []))
            }
            records[place].lines.append(Array(text(of: line)))
        }
        return records
    }
}
