internal import Glibc
internal import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Does what a plan says, in a journal of any kind: whatever is changed or taken away is kept before the journal is touched, and where another
/// program writes meanwhile, it is planned again.
///
/// A kill at any instruction leaves the journal with some of the edits, each of them whole.
package struct RepairRun {
    private let stateDirectory: FilePath
    private let directoryName: FilePath.Component?
    private let failPoint: FailPoint?
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stateDirectory: Where old files are kept, under `repair/<id of the journal>/<time>/`.
    ///   - directoryName: By which they are kept if the journal's id is not known.
    init(
        keptIn stateDirectory: FilePath, directoryName: FilePath.Component?, failPoint: FailPoint?,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.stateDirectory = stateDirectory
        self.directoryName = directoryName
        self.failPoint = failPoint
        self.now = now
    }

    /// What a repair did.
    package struct Outcome: Sendable {
        /// What was planned, and is done.
        package internal(set) var plan: RepairPlan
        /// Where the old files are; empty if nothing was done, more than one where another program made it start over.
        package internal(set) var kept: [FilePath] = []
    }

    /// Plans and repairs a directory that is locked.
    ///
    /// - Parameter noting: Called with each change that is done, unless a path is not UTF-8.
    /// - Throws: What `plan` and a write throw; `.changedMeanwhile` if another program keeps writing.
    /// - Note: Durable on return. If it throws, some of the fixes may be done; the old files are kept anyway.
    func outcome(
        in directory: OpenDirectory, noting: (UndoableWrite.Change) -> Void = { _ in },
        _ plan: () throws -> RepairPlan
    ) throws -> Outcome {
        var outcome = Outcome(plan: try plan())
        var attempt = 1
        while !outcome.plan.isEmpty {
            outcome.kept.append(try makeKeptDirectory(for: outcome.plan))
            do {
                try execute(
                    outcome.plan, in: directory, keepingIn: outcome.kept[outcome.kept.count - 1],
                    noting)
                break
            } catch let error as FileError where error.code == .changedMeanwhile && attempt < 5 {
                attempt += 1
                let done = outcome.plan.fixes
                outcome.plan = try plan()
                // What was done before the change is not planned again, but it was done.
                outcome.plan.fixes = done.filter { !outcome.plan.fixes.contains($0) } + outcome.plan.fixes
            }
        }
        return outcome
    }

    // MARK: - Writing

    /// Old files kept → the edits in their order → copies moved away: each step durable before the next.
    private func execute(
        _ plan: RepairPlan, in directory: OpenDirectory, keepingIn path: FilePath,
        _ noting: (UndoableWrite.Change) -> Void
    ) throws {
        func keptPlace(_ name: FilePath.Component) -> String? {
            String(validating: path.appending(name).bytes, as: UTF8.self)
        }
        let kept = try OpenDirectory(path, failPoint: failPoint)
        for edit in plan.edits {
            if let old = edit.old { try kept.replaceFile(edit.name, with: old.contents, expecting: nil) }
        }
        for copy in plan.settledCopies { try directory.requireUnchanged(copy) }
        for edit in plan.edits {
            try directory.replaceFile(edit.name, with: edit.new, expecting: edit.old?.identity)
            guard let place = keptPlace(edit.name) else { continue }
            let checksum = UndoableWrite.checksum(of: edit.new, of: edit.name.string)
            noting(
                .replaced(path: edit.name.string, kept: edit.old.map { _ in place }, sha256: checksum))
        }
        for copy in plan.settledCopies {
            try directory.requireUnchanged(copy)
            try directory.moveFile(copy.name, to: copy.name, in: kept)
            if let place = keptPlace(copy.name) { noting(.away(path: copy.name.string, to: place)) }
        }
    }

    /// A new directory for what this run replaces, for the user alone: old files may have been private.
    private func makeKeptDirectory(for plan: RepairPlan) throws -> FilePath {
        let name = plan.id.map(\.description).flatMap { FilePath.Component($0) } ?? directoryName
        let parent = stateDirectory.appending("repair").appending(name ?? "journal")
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
                cure: "wait until the program that writes it has finished, then try again")
        }
    }
}
