internal import SystemPackage
internal import TraceFormat

/// Plans the repair of a session out of one reading of it.
struct RepairPlanner {
    private let contents: SessionContents
    private let remembered: Session?
    private var plan: RepairPlan
    /// The record files as they are to be, where that is otherwise than they are.
    private var planned: [RecordKind: [UInt8]] = [:]
    /// When `session.json` was changed last, as a copy of it says that says nothing else but what the file does.
    private var laterChange: Timestamp?

    /// - Parameter remembered: What the index remembers of the session.
    /// - Throws: ``StoreError`` where the session can't be read, `FormatError` with `.memory`.
    static func plan(for contents: SessionContents, at path: FilePath, remembered: Session?) throws
        -> RepairPlan
    {
        var planner = RepairPlanner(contents: contents, remembered: remembered, plan: RepairPlan(path: path))
        for kind in RecordKind.lines { try planner.planRecords(kind) }
        try planner.planIdenticalCopies()
        try planner.planHeader()
        try planner.finish()
        return planner.plan
    }

    private init(contents: SessionContents, remembered: Session?, plan: RepairPlan) {
        self.contents = contents
        self.remembered = remembered
        self.plan = plan
    }

    // MARK: - Files of records

    private mutating func planRecords(_ kind: RecordKind) throws {
        let file: FileContents?
        switch try contents.file(of: kind) {
        // Why it can't be read is among the findings, and its copies stay.
        case nil, .sound: return
        case .missing: file = nil
        case .whole(let contents): file = contents
        }
        let isSettled = file.map { contents.session.isSettled($0.identity) } ?? true
        let ends = try EndMend(file?.contents ?? [], of: kind, isSettled: isSettled)
        if ends.isInTransit {
            wait(for: kind.fileName, "its last line may still be on its way")
            for copy in contents.copies(of: kind.fileName) {
                wait(for: copy.text, "\(kind.fileName) may still be on its way")
            }
            return
        }
        plan.mends += ends.mends
        let merged = try merge(contents.copies(of: kind.fileName), into: ends.bytes, kind)
        guard merged != file?.contents ?? [] else { return }
        planned[kind] = merged
        plan.edits.append(RepairPlan.Edit(name: kind.component, old: file, new: merged))
    }

    private mutating func merge(
        _ copies: [SessionContents.Copy], into file: [UInt8], _ kind: RecordKind
    ) throws -> [UInt8] {
        var whole: [SessionContents.Copy] = []
        for copy in copies {
            let isSettled = contents.session.isSettled(copy.file.identity)
            if try EndMend(copy.file.contents, of: kind, isSettled: isSettled).isInTransit {
                wait(for: copy.text, "its last line may still be on its way")
            } else {
                whole.append(copy)
            }
        }
        guard !whole.isEmpty else { return file }
        let merge = try VersionMerge(kind, file: file, copies: whole.map { ($0.text, $0.file.contents) })
        for (index, copy) in whole.enumerated() {
            let news = merge.news[index]
            let what =
                news == 0
                ? "brings no line that is not here" : "brings \(counted(news, "line"))"
            plan.mends.append(Mend(.conflictCopy, in: kind.fileName, "\(copy.text) is merged: it \(what)"))
            plan.settledCopies.append(RepairPlan.Copy(name: copy.name, identity: copy.file.identity))
            plan.concerns += merge.damages[index].map { Concern(damage: $0) }
        }
        plan.mends += Self.changes(merge, kind)
        return merge.bytes
    }

    /// What a person may want to know of a merge.
    private static func changes(_ merge: VersionMerge, _ kind: RecordKind) -> [Mend] {
        func ids(_ ids: [ULID]) -> String {
            let rest = ids.count > 5 ? " and \(ids.count - 5) more" : ""
            return ids.prefix(5).map(\.description).joined(separator: ", ") + rest
        }
        var mends: [Mend] = []
        if !merge.changed.isEmpty {
            let reason = "another line than before counts, from a copy: \(ids(merge.changed))"
            mends.append(Mend(.conflictCopy, in: kind.fileName, reason))
        }
        if !merge.undecided.isEmpty {
            let reason =
                "edited in two versions, both edits are kept and the one that ranks higher counts: "
                + ids(merge.undecided)
            mends.append(Mend(.conflictCopy, in: kind.fileName, reason))
        }
        return mends
    }

    private mutating func wait(for file: String, _ reason: String) {
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
            for copy in copies {
                let difference: String
                if copy.file.contents == file.contents {
                    difference = "is the same, byte for byte"
                } else if original == RecordKind.session.fileName,
                    let change = Self.soleChange(of: copy.file.contents, from: file.contents)
                {
                    difference = "says nothing else but when it was changed, \(change)"
                    laterChange = max(laterChange ?? change, change)
                } else {
                    continue
                }
                plan.mends.append(Mend(.conflictCopy, in: original, "\(copy.text) \(difference)"))
                plan.settledCopies.append(RepairPlan.Copy(name: copy.name, identity: copy.file.identity))
            }
        }
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

    private mutating func planHeader() throws {
        guard let header = contents.header else { return }
        var knowledge = HeaderMend.Knowledge()
        knowledge.files = contents.files.union(planned.keys.map(\.fileName))
        let timeline = try PlannedTimeline(planned[.timeline], or: contents.session)
        knowledge.ends = timeline.ends
        knowledge.pauses = timeline.pauses
        knowledge.remembered = remembered
        knowledge.copies = contents.copies(of: RecordKind.session.fileName).map {
            ($0.text, $0.file.contents)
        }
        guard let mend = HeaderMend(header.contents, knowing: knowledge) else { return }
        plan.mends += mend.mends
        plan.concerns += mend.concerns
        let bytes = try withLaterChange(mend.bytes)
        guard bytes != header.contents else { return }
        plan.edits.append(RepairPlan.Edit(name: RecordKind.session.component, old: header, new: bytes))
    }

    /// `updated_at` never goes backwards: where a copy has a later one, it counts.
    private mutating func withLaterChange(_ header: [UInt8]) throws -> [UInt8] {
        guard let laterChange, var editor = try? JSONObjectEditor(header),
            let text = try editor.text(of: "updated_at"),
            let own = text.withUnsafeBytes({ Timestamp(JSONText.unescaped($0)) }), own < laterChange
        else { return header }
        try editor.set("updated_at", to: JSONText(laterChange))
        let reason = "updated_at is set to the later one, from a copy"
        plan.mends.append(Mend(.conflictCopy, in: RecordKind.session.fileName, reason))
        return editor.bytes
    }

    // MARK: - What is left

    private mutating func finish() throws {
        let header =
            plan.edits.first { $0.name == RecordKind.session.component }?.new ?? contents.header?.contents
        var check = PlannedCheck(session: contents.session, header: header, planned: planned)
        check.settledCopies = Set(plan.settledCopies.map(\.name.escaped))
        let waiting = Set(plan.waiting.map(\.file))
        let found = try check.findings()
        plan.id = check.id
        let left = found.filter { finding in
            let isLater = finding.isConflictCopy && waiting.contains(finding.place.file)
            return !isLater && !finding.isLineInTransit
        }
        plan.concerns += left.map { Concern($0) }
        for finding in found where finding.isLineInTransit && !waiting.contains(finding.place.file) {
            wait(for: finding.place.file, "its last line may still be on its way")
        }
    }
}

extension Concern {
    /// What is damaged in a conflict copy.
    fileprivate init(damage: Finding) {
        self.init(
            at: damage.place, rule: damage.rule, "\(damage.message); this line of the copy is not merged",
            cure:
                "look at it in the copy among the kept files, and append the record by hand if it is missing")
    }
}
