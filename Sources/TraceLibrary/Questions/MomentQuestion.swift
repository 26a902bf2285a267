package import RecordFormat
internal import SystemPackage
internal import TraceFormat
package import TraceIndex
internal import TraceStore

/// What was going on at a moment, in any session: `trace at`.
package struct MomentQuestion: Sendable, Hashable {
    /// The moment that is meant.
    package let moment: Timestamp
    /// How far before and after it records are looked for.
    let distance: SessionOffset

    package init(at moment: Timestamp, within distance: SessionOffset) {
        self.moment = moment
        self.distance = distance
    }

    /// - Parameters:
    ///   - index: One that is up to date with the sessions of `scope`.
    ///   - now: Until when sessions that are active run.
    /// - Throws: ``IndexError``, with `.stale` if a file has changed since the index read it; `FileError` if `session.json` can't
    ///   be read.
    /// - Complexity: O(sessions that started before + what is returned).
    package func answer(
        _ index: JournalIndex, in scope: RecordFilter.Scope, now: Timestamp = Clock.now()
    ) throws -> MomentAnswer {
        let sessions = SessionCache(index)
        let found = try index.sessions(runningAt: moment, in: scope, now: now)
        return MomentAnswer(
            sessions: try found.map { try surroundings($0.offset, of: $0.session, index, sessions) },
            others: try others(index, in: scope))
    }

    /// Whether there are journals of other kinds, which ``answer(_:in:now:)`` asks, too.
    ///
    /// - Throws: ``IndexError``.
    package func asksOthers(_ index: JournalIndex, in scope: RecordFilter.Scope) throws -> Bool {
        let kinds = index.formats.otherKinds
        return try !kinds.isEmpty && !index.journals(scope, kinds: kinds).isEmpty
    }

    /// What journals of other kinds hold within the distance.
    private func others(_ index: JournalIndex, in scope: RecordFilter.Scope) throws -> [TimelineAnswer.Row] {
        let kinds = index.formats.otherKinds
        guard !kinds.isEmpty else { return [] }
        var question = TimelineQuestion(moment.subtracting(distance)...moment.adding(distance))
        question.kinds = kinds
        return try question.answer(index, in: scope).rows
    }

    private func surroundings(
        _ offset: SessionOffset, of path: FilePath, _ index: JournalIndex, _ sessions: SessionCache
    ) throws -> MomentAnswer.Surroundings {
        let session = try sessions[path]
        let range = max(.zero, offset.subtracting(distance))...offset.adding(distance)
        let records = try index.records(of: path, during: range).map { ($0, try sessions.line(of: $0)) }
        let items = session.isOnline ? try SessionReader(path).header().session.media : []
        return MomentAnswer.Surroundings(
            session: session, offset: offset,
            media: items.compactMap { item in item.position(at: offset).map { (item, $0) } },
            records: records)
    }
}

extension MediaItem {
    /// Where in the file an offset of the session lies, or nil if the file does not cover it.
    ///
    /// Source: docs/spec/format.md#review-audio: an offset is file time plus `start_offset_ms`.
    func position(at offset: SessionOffset) -> SessionOffset? {
        guard let startOffset, let position = offset.distance(from: startOffset), position >= .zero,
            duration.map({ position <= $0 }) ?? true
        else { return nil }
        return position
    }
}
