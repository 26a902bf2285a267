internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Prints what a repair does, or would do.
struct RepairReport {
    let plan: RepairPlan
    /// What a line for people calls the session.
    let name: String
    var isWritten = false
    var kept: [FilePath] = []

    /// How many lines of a diff programs get.
    private static let limit = 2000

    // MARK: - For people

    func show() {
        if plan.fixes.isEmpty, plan.unresolved.isEmpty, plan.waiting.isEmpty {
            return Output.line("ok: \(name): nothing to repair")
        }
        Output.line(name)
        if !plan.fixes.isEmpty { Output.line(isWritten ? "repaired:" : "would be repaired with --write:") }
        for fix in plan.fixes { Output.line("  \(fix.description.oneLine)") }
        if !isWritten { for edit in plan.edits { Self.show(edit) } }
        for path in kept { Output.line("  old files: \(path.escaped)") }
        if !plan.unresolved.isEmpty {
            Output.line(
                "needs manual repair\(isWritten || plan.fixes.isEmpty ? "" : " (lines and bytes as after --write)"):"
            )
        }
        for problem in plan.unresolved {
            Output.line("  \(problem.description.oneLine)")
            Output.line("    hint: \(problem.cure)")
        }
        if !plan.waiting.isEmpty { Output.line("left unchanged for now:") }
        for waiting in plan.waiting { Output.line("  \(waiting.file): \(waiting.reason)") }
        Output.line(counts.text)
    }

    private static func show(_ edit: RepairPlan.Edit) {
        let file = edit.name.escaped
        Output.line("--- \(edit.old == nil ? "(none)" : file)")
        Output.line("+++ \(file)")
        for line in edit.diff.linesForPeople { Output.line(line) }
    }

    var counts: RepairCounts {
        RepairCounts(
            isWritten: isWritten, fixes: plan.fixes.count, unresolved: plan.unresolved.count,
            waiting: plan.waiting.count)
    }

    // MARK: - For programs

    /// The repair with the keys of docs/cli-json.md.
    var json: JSONText {
        .object { object in
            object.session(at: plan.path, plan.id)
            object.member("written", JSONText(isWritten))
            object.member("mends", .array(plan.fixes.map(\.json)))
            object.member("diffs", .array(plan.edits.map(Self.json)))
            object.member("merged_copies", .array(plan.settledCopies.map { JSONText($0.name.escaped) }))
            object.member("kept", .array(kept.map { JSONText($0.escaped) }))
            object.member("concerns", .array(plan.unresolved.map(\.json)))
            object.member("waiting", .array(plan.waiting.map(\.json)))
        }
    }

    private static func json(_ edit: RepairPlan.Edit) -> JSONText {
        let lines = edit.diff.unified(limit: limit).map { String(decoding: $0, as: UTF8.self) }
        return .object { object in
            object.member("file", JSONText(edit.name.escaped))
            object.member("diff", .array(lines.map { JSONText($0) }))
        }
    }
}

/// Counts of fixes and unresolved problems, of one session or several.
struct RepairCounts {
    let isWritten: Bool
    var fixes = 0
    var unresolved = 0
    var waiting = 0

    var isNothing: Bool { fixes + unresolved + waiting == 0 }

    mutating func add(_ other: RepairCounts) {
        fixes += other.fixes
        unresolved += other.unresolved
        waiting += other.waiting
    }

    /// Counts of fixes and unresolved problems.
    var text: String {
        let parts = [
            (fixes, isWritten ? "repaired" : "to repair"), (unresolved, "for manual repair"),
            (waiting, "left unchanged for now"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// Why the exit status is not 0, or nil.
    func failure(in command: String) -> String? {
        if !isWritten, fixes > 0 { return "nothing was written; '\(command) --write' makes the repairs" }
        if unresolved > 0 { return "some problems need manual repair" }
        return waiting > 0 ? "some files may still be in transit; try again in a while" : nil
    }
}

extension Fix {
    fileprivate var json: JSONText {
        .object { object in
            object.member("mend", JSONText(kind.rawValue))
            object.member("file", JSONText(file))
            object.member("reason", JSONText(reason))
        }
    }
}

extension UnresolvedProblem {
    /// As a finding; without a rule where none is broken.
    fileprivate var json: JSONText {
        .object { object in
            object.member("rule", rule.map { JSONText($0.id) })
            object.member("severity", rule.map { JSONText($0.severity.rawValue) })
            object.member("file", JSONText(place.file))
            object.member("line", place.line > 0 ? JSONText(Int64(place.line)) : nil)
            object.member("column", place.column > 0 ? JSONText(Int64(place.column)) : nil)
            object.member("byte_offset", place.line > 0 ? JSONText(Int64(place.byteOffset)) : nil)
            object.member("message", JSONText(message))
            object.member("cure", JSONText(cure))
        }
    }
}

extension RepairPlan.Waiting {
    fileprivate var json: JSONText {
        .object { object in
            object.member("file", JSONText(file))
            object.member("reason", JSONText(reason))
        }
    }
}
