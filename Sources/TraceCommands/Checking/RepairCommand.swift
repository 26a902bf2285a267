internal import ArgumentParser
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// `trace repair`
struct RepairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repair", abstract: "Mend what can be mended of a session without guessing.",
        discussion: """
            Shows what would be done and why, as a diff; --write does it, and keeps every old file in the state \
            directory under 'repair'. A torn last line is set aside, conflict copies of sync tools are merged, and what \
            a rewrite dropped from session.json is put back where it is known. What needs a person is listed.

            Exit status 1 where something is left to do: mends that are not written, things for a person, files that \
            may still be on their way.
            """)

    @Argument(help: "The session.", completion: .sessions)
    var session: String?
    @Flag(help: "Do it.")
    var write = false
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let target = try workplace.target(session)
            let path = target.path
            let repair = SessionRepair(
                workplace.writer(target), keptIn: workplace.settings.stateDirectory,
                settleTime: workplace.settings.settleTime, remembered: Self.remembered(path, workplace))
            let name = workplace.name(of: path, typed: session)
            let report: RepairReport
            if write {
                let outcome = try repair.run()
                report = RepairReport(plan: outcome.plan, name: name, isWritten: true, kept: outcome.kept)
            } else {
                report = RepairReport(plan: try repair.plan(), name: name)
            }
            if write, !report.plan.mends.isEmpty { Output.note(done: report.summary) }
            if global.json { Output.json(report.json) } else { report.show() }
            if let failure = report.failure { throw CommandFailure(.negative, failure) }
        }
    }

    /// What the index knows of the session as it was when it was last read.
    private static func remembered(_ path: FilePath, _ workplace: Workplace) -> Session? {
        guard let known = workplace.remembered(at: path) else { return nil }
        var session = Session()
        session.id = known.id
        session.title = known.title
        session.endTime = known.endTime
        session.duration = known.duration
        return session
    }
}

/// Says what a repair does, or would do.
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
        if plan.mends.isEmpty, plan.concerns.isEmpty, plan.waiting.isEmpty {
            return Output.line("ok: \(name): nothing to mend")
        }
        Output.line(name)
        for mend in plan.mends { Output.line("  \(mend.description.oneLine)") }
        if !isWritten { for edit in plan.edits { Self.show(edit) } }
        for path in kept { Output.line("  old files: \(path.escaped)") }
        if !plan.concerns.isEmpty { Output.line("needs a person:") }
        for concern in plan.concerns {
            Output.line("  \(concern.description.oneLine)")
            Output.line("    hint: \(concern.cure)")
        }
        if !plan.waiting.isEmpty { Output.line("left alone for now:") }
        for waiting in plan.waiting { Output.line("  \(waiting.file): \(waiting.reason)") }
        Output.line(summary)
    }

    private static func show(_ edit: RepairPlan.Edit) {
        let file = edit.name.escaped
        Output.line("--- \(edit.old == nil ? "(none)" : file)")
        Output.line("+++ \(file)")
        for line in edit.diff.linesForPeople { Output.line(line) }
    }

    /// How much was mended, or would be.
    var summary: String {
        let parts = [
            (plan.mends.count, isWritten ? "mended" : "to mend"), (plan.concerns.count, "for a person"),
            (plan.waiting.count, "left alone for now"),
        ]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    /// Why the exit status is not 0, or nil.
    var failure: String? {
        if !isWritten, !plan.isEmpty { return "nothing was written; 'trace repair --write' does the mends" }
        if !plan.concerns.isEmpty { return "not everything can be mended without a person" }
        return plan.waiting.isEmpty ? nil : "some files may still be on their way; repair again in a while"
    }

    // MARK: - For programs

    /// The repair with the keys of docs/cli-json.md.
    var json: JSONText {
        .object { object in
            object.member("path", JSONText(plan.path.escaped))
            object.member("id", plan.id.map { JSONText($0) })
            object.member("written", JSONText(isWritten))
            object.member("mends", .array(plan.mends.map(\.json)))
            object.member("diffs", .array(plan.edits.map(Self.json)))
            object.member("merged_copies", .array(plan.settledCopies.map { JSONText($0.name.escaped) }))
            object.member("kept", .array(kept.map { JSONText($0.escaped) }))
            object.member("concerns", .array(plan.concerns.map(\.json)))
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

extension Mend {
    fileprivate var json: JSONText {
        .object { object in
            object.member("mend", JSONText(kind.rawValue))
            object.member("file", JSONText(file))
            object.member("reason", JSONText(reason))
        }
    }
}

extension Concern {
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
