import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Power cuts, on paper, while something is written into a practice journal: as ``PowerLossTests``, the disks that a cut can leave
/// are laid out, and each must have the old document or the new one, and no write that was said to be done may be missing.
@Suite(.enabled(if: Strace.isThere, "strace is missing, or not permitted here"))
struct PracticePowerLossTests {
    @Test(arguments: Torture.choose(PracticeFault.allCases, sample: 8, "practice power"))
    func `after a power cut at any moment the document is whole, and nothing that was said is lost`(
        _ write: PracticeFault
    ) throws {
        let scene = try PracticeScene(for: write)
        let disk = try DiskModel(scene.scratch.path)
        let calls = try Strace(scene.scratch).recordBytes(write.arguments)
        #expect(calls.contains { $0.name == "fdatasync" || $0.name == "fsync" })
        var dice = Torture.dice("practice power \(write)")
        var cuts: [(remains: DiskModel.Remains, isSaid: Bool, moment: String)] = []
        var seen: Set<DiskModel.Remains> = []
        var isSaid = false
        for (index, call) in calls.enumerated() {
            disk.replay(call)
            if !isSaid, call.isOutput(below: scene.scratch.path) {
                isSaid = true
                // What could be there before must not be all that is there now.
                seen = []
            }
            for remains in disk.remains(count: Torture.size(full: 10, sample: 3), &dice)
            where seen.insert(remains).inserted {
                cuts.append((remains, isSaid, "\(index): \(call.name)"))
            }
        }
        for cut in Torture.choose(cuts, sample: 3, "practice cut \(write)") {
            try scene.scratch.lay(cut.remains)
            let what = "\(write), power cut after call \(cut.moment)\(cut.isSaid ? ", told" : "")"
            let isDone = try scene.checkWhole(what)
            if cut.isSaid { #expect(isDone, "\(what)") }
            try scene.checkEnd(what, isSaid: cut.isSaid)
        }
    }
}
