import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles

@testable import TraceAccess

/// Each change of the tokens, killed before each of its steps, or with each of its steps failing.
struct AccessKillTests {
    /// A change, and the scene in which it begins: a token called `old`, and a pairing.
    enum Change: String, CaseIterable, Sendable {
        case add, revoke, rename, begin, redeem

        /// - Parameter code: That of the pairing.
        func run(_ scene: AccessScene, code: String, _ failPoint: FailPoint?) throws {
            let tokens = scene.tokens(failPoint)
            let old = try scene.tokens().find("old")
            switch self {
            case .add: _ = try tokens.add(AccessScene.grant("new"), at: morning)
            case .revoke: try tokens.revoke(old.id)
            case .rename: _ = try tokens.rename(old.id, to: "renamed")
            case .begin: _ = try scene.codes(failPoint).begin(AccessScene.grant("other"), at: morning)
            case .redeem:
                _ = try scene.codes(failPoint).redeem(PairingCode(parsing: code.utf8), at: morning)
            }
        }
    }

    /// The names of the tokens, and of the pairings that wait.
    private struct State: Hashable {
        var tokens: [String]
        var pairings: [String]

        init(_ tokens: [String], _ pairings: [String]) {
            self.tokens = tokens
            self.pairings = pairings
        }

        init(of scene: AccessScene) throws {
            tokens = try scene.names()
            pairings = try scene.codes().live(at: morning).map(\.grant.name).sorted()
        }
    }

    private static let start = State(["old"], ["paired"])

    private static func end(of change: Change) -> State {
        switch change {
        case .add: State(["new", "old"], ["paired"])
        case .revoke: State([], ["paired"])
        case .rename: State(["renamed"], ["paired"])
        case .begin: State(["old"], ["other", "paired"])
        case .redeem: State(["old", "paired"], [])
        }
    }

    /// What there may be after a kill: as before, as after, or a code that is used up.
    private static func possible(_ change: Change) -> Set<State> {
        let between = change == .redeem ? [State(["old"], [])] : []
        return Set([start, end(of: change)] + between)
    }

    /// - Returns: The code of the pairing.
    private static func make(_ scene: AccessScene) throws -> String {
        _ = try scene.add("old")
        return try scene.codes().begin(AccessScene.grant("paired"), at: morning).code.text
    }

    private static func steps(_ change: Change) throws -> [WriteStep] {
        let scratch = try ScratchDirectory()
        let scene = AccessScene(in: scratch.path)
        let code = try make(scene)
        let steps = Steps()
        try change.run(scene, code: code) { step, _ throws(Errno) in _ = steps.add(step) }
        #expect(try State(of: scene) == end(of: change))
        #expect(try scene.leftovers() == [])
        return steps.all
    }

    /// The same change once more does what is left of it; a code is used at most once.
    private static func finish(_ change: Change, _ scene: AccessScene, code: String) throws {
        let before = try State(of: scene)
        if before == start {
            try change.run(scene, code: code, nil)
            #expect(try State(of: scene) == end(of: change))
        } else if change == .redeem {
            #expect(
                FileHarness.code(of: AccessError.self) { try change.run(scene, code: code, nil) }
                    == .pairingCodeRefused)
            #expect(try State(of: scene) == before)
        }
        _ = try scene.add("last")
        #expect(try scene.leftovers() == [])
    }

    @Test(arguments: Change.allCases)
    func `a kill leaves the tokens as they were or as they were to be`(change: Change) async throws {
        let count = try Self.steps(change).count
        #expect(count > 1)
        for fatal in Torture.steps(count, sample: 1, name: "kill \(change)") {
            let scratch = try ScratchDirectory()
            let scene = AccessScene(in: scratch.path)
            let code = try Self.make(scene)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    root = scratch.path.string as String, code = code as String, fatal = fatal as Int,
                    name = change.rawValue as String
                ]
                in
                let steps = Steps()
                let change = try #require(Change(rawValue: name))
                try change.run(AccessScene(in: FilePath(root)), code: code) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            let state = try State(of: scene)
            #expect(Self.possible(change).contains(state), "killed before step \(fatal): \(state)")
            try Self.finish(change, scene, code: code)
        }
    }

    @Test(arguments: Change.allCases, [Errno.ioError, Errno(rawValue: ENOSPC)])
    func `a failure is reported, and leaves nothing half-done`(change: Change, failure: Errno) throws {
        let steps = try Self.steps(change)
        // That another pairing can't be read keeps none from beginning, and that the names of others can't be read, which are looked at
        // first, none from being paired.
        for fatal in 1...steps.count
        where (change != .begin || steps[fatal - 1] != .verify) && (change != .redeem || fatal != 2) {
            let scratch = try ScratchDirectory()
            let scene = AccessScene(in: scratch.path)
            let code = try Self.make(scene)
            let steps = Steps()
            #expect(throws: FileError.self, "step \(fatal) failed without a word") {
                try change.run(scene, code: code) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { throw failure }
                }
            }
            #expect(try scene.leftovers() == [], "after step \(fatal)")
            let state = try State(of: scene)
            #expect(Self.possible(change).contains(state), "failed at step \(fatal): \(state)")
            // Nobody has been given the secret of what was reported as a failure.
            if change == .add || change == .redeem || change == .begin {
                #expect(state != Self.end(of: change), "failed at step \(fatal)")
            }
            try Self.finish(change, scene, code: code)
        }
    }
}
