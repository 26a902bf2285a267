internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat

/// Repairs what can be repaired in a session without guessing, and lists what needs manual repair.
///
/// Whatever is changed or taken away is kept in the state directory before the session is touched. A kill at any instruction
/// leaves the session with some of the fixes, each of them whole, and another run does the rest.
///
/// Source: docs/repair.md.
package struct SessionRepair {
    private let writer: SessionWriter
    private let stateDirectory: FilePath
    private let settleTime: Duration
    private let remembered: Session?
    private let isUsedElsewhere: (ULID) -> Bool
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stateDirectory: Where old files are kept, under `repair/<session>/<time>/`.
    ///   - settleTime: How long a file must have rested before its unfinished last line counts as torn.
    ///   - remembered: What the index remembers of the session.
    ///   - isUsedElsewhere: Whether another session has an id; asked only where the session's own is written in lower case.
    package init(
        _ writer: SessionWriter, keptIn stateDirectory: FilePath, settleTime: Duration = .seconds(2),
        remembered: Session? = nil, now: @escaping @Sendable () -> Timestamp = { Clock.now() },
        isUsedElsewhere: @escaping (ULID) -> Bool = { _ in false }
    ) {
        self.writer = writer
        self.stateDirectory = stateDirectory
        self.settleTime = settleTime
        self.remembered = remembered
        self.isUsedElsewhere = isUsedElsewhere
        self.now = now
    }

    /// What a repair did.
    package struct Outcome: Sendable {
        /// What was planned, and is done.
        package internal(set) var plan: RepairPlan
        /// Where the old files are; empty if nothing was done, more than one where another program made it start over.
        package internal(set) var kept: [FilePath] = []
    }

    /// What a repair would do now; changes nothing in the session.
    ///
    /// - Throws: ``FileError`` with `.notFound` if the directory is not a session, `.sessionLocked`, `.permissionDenied` or
    ///   `.io`.
    package func plan() throws -> RepairPlan {
        try writer.locked(plan)
    }

    /// Repairs the session.
    ///
    /// - Throws: As ``plan()``, and what a write throws; `.changedMeanwhile` if another program keeps writing.
    /// - Note: Durable on return. If it throws, some of the fixes may be done; the old files are kept anyway.
    package func run() throws -> Outcome {
        try writer.locked { session in
            var outcome = Outcome(plan: try plan(session))
            var attempt = 1
            while !outcome.plan.isEmpty {
                outcome.kept.append(try makeKeptDirectory(for: outcome.plan))
                do {
                    try execute(outcome.plan, in: session, keepingIn: outcome.kept[outcome.kept.count - 1])
                    break
                } catch let error as FileError where error.code == .changedMeanwhile && attempt < 5 {
                    attempt += 1
                    let done = outcome.plan.fixes
                    outcome.plan = try plan(session)
                    // What was done before the change is not planned again, but it was done.
                    outcome.plan.fixes = done.filter { !outcome.plan.fixes.contains($0) } + outcome.plan.fixes
                }
            }
            return outcome
        }
    }

    private func plan(_ session: LockedSession) throws -> RepairPlan {
        let contents = try SessionContents(of: session.directory, settleTime: settleTime)
        return try RepairPlanner.plan(
            for: contents, at: writer.path, remembered: remembered, isUsedElsewhere: isUsedElsewhere)
    }

    // MARK: - Writing

    /// Old files kept → record files → `session.json` → copies moved away: each step durable before the next.
    private func execute(_ plan: RepairPlan, in session: LockedSession, keepingIn path: FilePath) throws {
        let directory = session.directory
        let kept = try OpenDirectory(path, failPoint: writer.failPoint)
        for edit in plan.edits {
            if let old = edit.old { try kept.replaceFile(edit.name, with: old.contents, expecting: nil) }
        }
        for copy in plan.settledCopies { try directory.requireUnchanged(copy) }
        for edit in plan.edits {
            try directory.replaceFile(edit.name, with: edit.new, expecting: edit.old?.identity)
        }
        for copy in plan.settledCopies {
            try directory.requireUnchanged(copy)
            try directory.moveFile(copy.name, to: copy.name, in: kept)
        }
    }

    /// A new directory for what this run replaces, for the user alone: old files may have been private.
    private func makeKeptDirectory(for plan: RepairPlan) throws -> FilePath {
        let name = plan.id.map(\.description).flatMap { FilePath.Component($0) } ?? writer.path.lastComponent
        let parent = stateDirectory.appending("repair").appending(name ?? "session")
        try OpenDirectory.make(parent)
        let time = String(now().description.map { $0 == ":" ? "-" : $0 })
        var path = parent.appending(time)
        var number = 1
        while try OpenDirectory(parent).statusIfPresent(
            of: path.lastComponent ?? "kept", followingLinks: false) != nil
        {
            number += 1
            path = parent.appending("\(time)-\(number)")
        }
        try OpenDirectory.make(path)
        try explaining("protect", path) { () throws(Errno) in
            _ = try retrying { path.withPlatformString { chmod($0, 0o700) } }
        }
        return path
    }
}

extension OpenDirectory {
    /// - Throws: ``FileError`` with `.changedMeanwhile` if a copy is no longer what was merged.
    fileprivate func requireUnchanged(_ copy: RepairPlan.Copy) throws {
        guard try statusIfPresent(of: copy.name, followingLinks: false)?.identity == copy.identity else {
            throw FileError(
                .changedMeanwhile, "changed while it was merged", path: path(of: copy.name),
                hint: "wait until the program that writes it has finished, then try again")
        }
    }
}
