package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat

extension Drain {
    /// As ``vanished(from:at:)``, of each session that can be found now; one that can't be read is left out.
    ///
    /// - Returns: The records as their entries have them.
    /// - Throws: ``FileError`` if the ledger or the kept entries can't be read.
    package func vanished(in sessionID: ULID? = nil) throws -> [LostLines.Line] {
        guard let state = try OpenDirectory.ifPresent(directories.state) else { return [] }
        let done = Spool(directories.done)
        let kept = Dictionary(
            try done.keptFiles { _ in true }.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        let sessions = try ledger.read(in: state) { ledger in Set(kept.keys.compactMap(ledger.session)) }
        return sessions.sorted().filter { sessionID == nil || $0 == sessionID }.flatMap { id in
            let paths = locate(id)
            guard paths.count == 1, let path = paths.first,
                let gone = try? vanished(from: id, at: path)
            else { return [LostLines.Line]() }
            return gone.compactMap { kept[$0] }.compactMap { file in
                guard let entry = try? done.read(file), let kind = entry.kind.recordKind else { return nil }
                return LostLines.Line(
                    kind: kind, id: entry.id, text: entry.payload, operation: .queue,
                    written: entry.createdAt, sessionID: id, session: path)
            }
        }
    }
}
