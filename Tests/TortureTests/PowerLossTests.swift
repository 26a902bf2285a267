import Foundation
import ProgramHarness
import TestSupport
import Testing
import TraceText

/// Power cuts, on paper: the calls of an undisturbed run are replayed on a ``DiskModel``, and after each of
/// them the disks that a power cut can leave are laid out; `trace` must then find the old session or the new
/// one, and lose nothing that it said was done.
@Suite(.enabled(if: Strace.isThere, "strace is missing, or not permitted here"))
struct PowerLossTests {
    @Test(arguments: Operation.allCases)
    func `after a power cut at any moment nothing that was said is lost`(_ operation: Operation) throws {
        let scene = try Scene(for: operation)
        let arguments = operation.arguments(in: scene)
        let disk = try DiskModel(scene.scratch.path)
        let calls = try Strace(
            scene.scratch, followsChildren: !operation.startsProgram
        ).recordBytes(arguments)
        #expect(calls.contains { $0.name == "fdatasync" || $0.name == "fsync" })

        var dice = Torture.dice("power \(operation)")
        var cuts: [Cut] = []
        var seen: Set<Cut> = []
        var isSaid = false
        for (index, call) in calls.enumerated() {
            disk.replay(call)
            if call.isOutput(below: scene.scratch.path) { isSaid = true }
            for remains in disk.remains(count: Torture.size(full: 30, sample: 3), &dice) {
                let cut = Cut(remains: remains, isSaid: isSaid)
                if seen.insert(cut).inserted { cuts.append(cut.after("\(index): \(call.name)")) }
            }
        }
        for cut in Torture.choose(cuts, sample: 2, "cut \(operation)") {
            try scene.scratch.lay(cut.remains)
            try check(operation, cut, in: scene)
        }
    }

    @Test(arguments: ["fsync", "fdatasync"])
    func `the model sees a sync that is missing`(_ missing: String) throws {
        let scene = try Scene()
        let disk = try DiskModel(scene.scratch.path)
        let calls = try Strace(scene.scratch).recordBytes(Operation.mark.arguments(in: scene))
        for call in calls where call.name != missing { disk.replay(call) }
        var dice = Torture.dice("missing")
        let losses = disk.remains(count: 0, &dice).filter { remains in
            let files = ["session.json", "markers.jsonl"].compactMap {
                remains.files["sessions/set/\($0)"] ?? nil
            }
            return files.contains { !$0.isEmpty }
                && files != [scene.bytes("session.json"), scene.bytes("markers.jsonl")]
        }
        #expect(!losses.isEmpty)
    }

    /// A moment, and what is on the disk after it.
    private struct Cut: Hashable {
        var remains: DiskModel.Remains
        /// Whether the operation had told its end.
        var isSaid: Bool
        var moment = ""

        func after(_ moment: String) -> Cut {
            var cut = self
            cut.moment = moment
            return cut
        }
    }

    private func check(_ operation: Operation, _ cut: Cut, in scene: Scene) throws {
        let what = "\(operation), power cut after call \(cut.moment)\(cut.isSaid ? ", told" : "")"
        try scene.checkNothingLost(what)
        try operation.carryOn(in: scene)
        if cut.remains.isTorn {
            // A line that was written in part stays, and is shown; the rest must be as always.
            #expect(try scene.scratch.trace("session", "show", scene.session).status == 0, "\(what)")
        } else {
            try scene.checkSession(what)
        }
        if operation == .close {
            let status = try scene.scratch.text("sessions/set/session.json").contains("\"closed\"")
            #expect(status, "\(what)")
            return
        }
        if operation.drains { try scene.checkDrained(what) }
        try operation.checkSaid(Outcome(status: cut.isSaid ? 0 : 1), in: scene, what)
    }
}

extension Scene {
    /// A file of the session.
    fileprivate func bytes(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: "\(session)/\(name)") ?? Data())
    }
}
