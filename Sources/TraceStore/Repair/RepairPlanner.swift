internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Plans the repair of a session out of one reading of it.
struct RepairPlanner {
    let contents: SessionContents
    private let remembered: Session?
    private let reviewAudio: [String]
    private let isUsedElsewhere: (ULID) -> Bool
    var plan: RepairPlan
    /// The record files as they are to be, where that is otherwise than they are.
    var planned: [RecordKind: Change] = [:]
    private var ids = IDCensus()
    /// When `session.json` was changed last, as a copy of it says that says nothing else but what the file does.
    private var laterChange: Timestamp?

    /// A file of records that gets other contents.
    struct Change {
        let old: FileContents?
        var new: [UInt8]
    }

    /// - Parameters:
    ///   - remembered: What the index remembers of the session.
    ///   - reviewAudio: The files that were added to it as review audio, the last one last.
    ///   - isUsedElsewhere: Whether another session has an id.
    /// - Throws: ``FileError`` if the session can't be read, ``FormatError`` with `.memory`.
    static func plan(
        for contents: SessionContents, at path: FilePath, remembered: Session?, reviewAudio: [String],
        isUsedElsewhere: @escaping (ULID) -> Bool
    ) throws -> RepairPlan {
        var planner = RepairPlanner(
            contents, remembered, reviewAudio, isUsedElsewhere, RepairPlan(path: path))
        try planner.planRecords()
        try planner.planIdenticalCopies()
        if let header = try planner.planHeader() { try planner.planSessionEnd(header) }
        try planner.finish()
        return planner.plan
    }

    private init(
        _ contents: SessionContents, _ remembered: Session?, _ reviewAudio: [String],
        _ isUsedElsewhere: @escaping (ULID) -> Bool, _ plan: RepairPlan
    ) {
        self.contents = contents
        self.remembered = remembered
        self.reviewAudio = reviewAudio
        self.isUsedElsewhere = isUsedElsewhere
        self.plan = plan
    }

    // MARK: - Files of records

    private mutating func planRecords() throws {
        let drafts = try RecordKind.lines.compactMap { try RecordDraft($0, of: contents) }
        ids = try IDCensus(contents, drafts, isUsedElsewhere: isUsedElsewhere)
        for draft in drafts { try plan(draft) }
    }

    private mutating func plan(_ draft: RecordDraft) throws {
        let kind = draft.kind
        if draft.isInTransit {
            wait(for: kind.fileName, "its last line may still be in transit")
            for copy in draft.copies {
                wait(for: copy.contents.text, "\(kind.fileName) may still be in transit")
            }
            return
        }
        plan.fixes += draft.endFixes
        let spelled = try draft.main.fixed(kind, knowing: ids)
        plan.fixes += spelled.fixes
        let new = try merge(draft.copies, into: spelled.lines, kind) ?? order(spelled.lines, kind)
        guard new != draft.file?.contents ?? [] else { return }
        planned[kind] = Change(old: draft.file, new: new)
    }

    private mutating func order(_ lines: RecordLines, _ kind: RecordKind) -> [UInt8] {
        let fix = OrderFix(lines, of: kind)
        plan.fixes += fix.fixes
        return fix.bytes
    }

    /// - Returns: The lines of all versions, in order; nil if there is nothing to merge.

    private mutating func merge(
        _ copies: [RecordDraft.Copy], into file: RecordLines, _ kind: RecordKind
    ) throws -> [UInt8]? {
        for copy in copies where copy.isInTransit {
            wait(for: copy.contents.text, "its last line may still be in transit")
        }
        let whole = copies.filter { !$0.isInTransit }
        guard !whole.isEmpty else { return nil }
        let spelled = try whole.map { try $0.version.fixed(kind, $0.contents.text, knowing: ids) }
        plan.fixes += spelled.flatMap(\.fixes)
        let merge = VersionMerge(kind, file: file, copies: spelled.map(\.lines))
        for (index, copy) in whole.enumerated() {
            let news = merge.news[index]
            let what =
                news == 0
                ? "no new lines" : counted(news, "new line")
            let name = copy.contents.text
            plan.fixes.append(Fix(.conflictCopy, in: kind.fileName, "\(name) merged: \(what)"))
            plan.settledCopies.append(
                RepairPlan.Copy(name: copy.contents.name, identity: copy.contents.file.identity))
            // Places are those of the copy as it is kept.
            let damages = VersionMerge.damages(of: copy.version.lines, notIn: file)
            plan.unresolved += damages.map { UnresolvedProblem(damage: $0) }
        }
        plan.fixes += Self.changes(merge, kind)
        return merge.bytes
    }

    /// What a person may want to know of a merge.
    private static func changes(_ merge: VersionMerge, _ kind: RecordKind) -> [Fix] {
        func ids(_ ids: [ULID]) -> String {
            let rest = ids.count > 5 ? " and \(ids.count - 5) more" : ""
            return ids.prefix(5).map(\.description).joined(separator: ", ") + rest
        }
        var fixes: [Fix] = []
        if !merge.changed.isEmpty {
            let reason = "newer line of a copy now counts: \(ids(merge.changed))"
            fixes.append(Fix(.conflictCopy, in: kind.fileName, reason))
        }
        if !merge.undecided.isEmpty {
            let reason =
                "edited in two versions; both edits kept, and the one that ranks higher counts: "
                + ids(merge.undecided)
            fixes.append(Fix(.conflictCopy, in: kind.fileName, reason))
        }
        return fixes
    }

    mutating func wait(for file: String, _ reason: String) {
        plan.waiting.append(RepairPlan.Waiting(file: file, reason: reason))
    }

    // MARK: - session.json and digest.md

    /// Copies that hold nothing else than their file can go; what else they hold is for a person to join.
    private mutating func planIdenticalCopies() throws {
        for original in [RecordKind.session.fileName, SessionLayout.digest] {
            let copies = contents.copies(of: original)
            guard !copies.isEmpty,
                let file = original == SessionLayout.digest ? try contents.digest() : contents.header
            else { continue }
            let isHeader = original == RecordKind.session.fileName
            let text = isHeader ? spelled(file.contents) : file.contents
            for copy in copies {
                let difference: String
                let copied = isHeader ? spelled(copy.file.contents) : copy.file.contents
                if copy.file.contents == file.contents {
                    difference = "it is the same, byte for byte"
                } else if copied == text {
                    difference = "it is equivalent JSON"
                } else if isHeader, let change = Self.soleChange(of: copied, from: text) {
                    difference = "it differs only in when it was changed, \(change)"
                    laterChange = max(laterChange ?? change, change)
                } else {
                    continue
                }
                plan.fixes.append(Fix(.conflictCopy, in: original, "\(copy.text) set aside: \(difference)"))
                plan.settledCopies.append(RepairPlan.Copy(name: copy.name, identity: copy.file.identity))
            }
        }
    }

    /// `session.json`, or a copy of it, as the format writes it.
    private func spelled(_ header: [UInt8]) -> [UInt8] {
        CanonicalizationFix(header: header).fixed(knowing: ids).bytes
    }

    /// What a copy of `session.json` gives for `updated_at`, if it differs from the file in nothing else: two devices that each
    /// marked the session while apart leave such a one.
    private static func soleChange(of copy: [UInt8], from file: [UInt8]) -> Timestamp? {
        let name = "updated_at"
        guard var editor = try? JSONObjectEditor(copy), let own = (try? editor.text(of: name)) ?? nil,
            let text = (try? JSONObjectEditor(file).text(of: name)) ?? nil,
            (try? editor.set(name, to: JSONText(verbatim: text))) != nil, editor.bytes == file
        else { return nil }
        return own.withUnsafeBytes { Timestamp(JSONText.unescaped($0)) }
    }

    /// - Returns: What is known of `session.json` as it is to be; nil if that is for a person.
    private mutating func planHeader() throws -> (fix: HeaderFix, timeline: PlannedTimeline)? {
        guard let header = contents.header else { return nil }
        var evidence = HeaderFix.Evidence()
        evidence.files = contents.files.union(planned.keys.map(\.fileName))
        let timeline = try PlannedTimeline(planned[.timeline]?.new, or: contents.session)
        evidence.ends = timeline.ends
        evidence.pauses = timeline.pauses
        evidence.ids = ids
        evidence.remembered = remembered
        evidence.reviewAudio = reviewAudio
        evidence.copies = contents.copies(of: RecordKind.session.fileName).map {
            ($0.text, $0.file.contents)
        }
        guard let fix = HeaderFix(header.contents, knowing: evidence) else { return nil }
        plan.fixes += fix.fixes
        plan.unresolved += fix.unresolved
        let bytes = try withLaterChange(fix.bytes)
        if bytes != header.contents {
            plan.edits.append(RepairPlan.Edit(name: RecordKind.session.component, old: header, new: bytes))
        }
        return (fix, timeline)
    }

    /// `updated_at` never goes backwards: where a copy has a later one, it counts.
    private mutating func withLaterChange(_ header: [UInt8]) throws -> [UInt8] {
        guard let laterChange, var editor = try? JSONObjectEditor(header),
            let text = try editor.text(of: "updated_at"),
            let own = text.withUnsafeBytes({ Timestamp(JSONText.unescaped($0)) }), own < laterChange
        else { return header }
        try editor.set("updated_at", to: JSONText(laterChange))
        let reason = "updated_at set to the later time, from a copy"
        plan.fixes.append(Fix(.conflictCopy, in: RecordKind.session.fileName, reason))
        return editor.bytes
    }

    // MARK: - What is left

    private mutating func finish() throws {
        // Files of records are written before session.json.
        let edits = RecordKind.lines.compactMap { kind in
            planned[kind].map { RepairPlan.Edit(name: kind.component, old: $0.old, new: $0.new) }
        }
        plan.edits = edits + plan.edits
        let header =
            plan.edits.first { $0.name == RecordKind.session.component }?.new ?? contents.header?.contents
        var check = PlannedCheck(
            session: contents.session, header: header, planned: planned.mapValues(\.new))
        check.settledCopies = Set(plan.settledCopies.map(\.name.escaped))
        let waiting = Set(plan.waiting.map(\.file))
        let found = try check.findings()
        plan.id = check.id
        let left = found.filter { finding in
            let isLater =
                (finding.isConflictCopy || finding.isSessionEndMissing)
                && waiting.contains(finding.place.file)
            return !isLater && !finding.isLineInTransit
        }
        plan.unresolved += left.map { UnresolvedProblem($0) }
        for finding in found where finding.isLineInTransit && !waiting.contains(finding.place.file) {
            wait(for: finding.place.file, "its last line may still be in transit")
        }
    }
}

extension UnresolvedProblem {
    /// What is damaged in a conflict copy.
    fileprivate init(damage: Finding) {
        self.init(
            at: damage.place, rule: damage.rule, "\(damage.message); this line of the copy is not merged",
            cure:
                "see the copy among the kept files, and append the record by hand if it is missing")
    }
}
