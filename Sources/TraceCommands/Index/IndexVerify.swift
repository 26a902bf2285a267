internal import ArgumentParser
internal import Glibc
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// `trace index verify`
struct IndexVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Compare the index, row for row, with one that is built anew.",
        discussion: "Exit status 1 where they differ; 'trace index rebuild' makes them the same.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let workplace = try Workplace(global)
            let sessions = try Catalogue(workplace).sessions().filter(\.isOnline)
            let differing = try Self.differing(sessions, workplace)
            if global.json {
                Output.json(
                    .object { object in
                        object.member("sessions", JSONText(Int64(sessions.count)))
                        object.member("differing", .array(differing.map { JSONText($0.escaped) }))
                    })
            } else if differing.isEmpty {
                Output.line("ok: \(sessions.count) sessions are indexed as their files are")
            }
            guard differing.isEmpty else {
                let list = differing.map { "\n  \($0.escaped)" }.joined()
                throw CommandFailure(
                    .negative, "the index differs from the files of \(differing.count) sessions:\(list)")
            }
        }
    }

    /// The sessions whose rows are others in a fresh index, which is made beside the real one and removed again.
    private static func differing(_ sessions: [IndexedSession], _ workplace: Workplace) throws -> [FilePath] {
        let aside = workplace.settings.stateDirectory.appending("verify-\(IDMint.next())")
        try OpenDirectory.make(aside)
        defer { removeDirectory(aside) }
        let index = try workplace.openIndex()
        let fresh = try SessionIndex(at: aside.appending("index.sqlite"))
        return try sessions.map(\.path).filter { path in
            let settleTime = workplace.settings.settleTime
            _ = try fresh.reconcile(session: path, in: workplace.root(of: path), settleTime: settleTime)
            return try fresh.dump(of: path) != index.dump(of: path)
        }
    }

    private static func removeDirectory(_ path: FilePath) {
        guard let directory = try? OpenDirectory(path) else { return }
        try? directory.forEachName { name in
            _ = directory.path(of: name).withPlatformString { unlink($0) }
        }
        _ = path.withPlatformString { rmdir($0) }
    }
}
