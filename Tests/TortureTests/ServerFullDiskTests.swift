import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The built `traced` on sessions whose disk is full.
struct ServerFullDiskTests {
    @Test(
        .enabled(if: Namespace.mounting != nil, "mounting is not permitted here"),
        arguments: Torture.choose([1, 60, 130, 500], sample: 1, "rests"))
    func `on a disk of 64 KiB that is full, writes wait or are told, reads go on, and with room all are done`(
        leaving rest: Int
    ) throws {
        let scratch = try Scratch()
        try scratch.session("set", id: 1, markers: marker(10, at: 1000))
        try scratch.session("other", id: 2)
        let disk = try TinyDisk(scratch, "sessions", size: "64k")
        for name in ["set", "other"] {
            try FileManager.default.copyItem(
                atPath: "\(scratch.sessions)/\(name)", toPath: "\(disk.path)/\(name)")
        }
        let scene = try ServedScene(scratch, on: disk)
        let attempts = try WireWrite.all.map { (name: $0.name, attempt: try $0.begin(scene)) }
        try FullDiskTests.pad("\(disk.path)/set/markers.jsonl", leaving: rest)
        #expect(try disk.run("dd if=/dev/zero of=filler bs=4096 2>/dev/null || true").status == 0)

        var refused = 0
        for (name, attempt) in attempts {
            let answer = try scene.send(attempt.request)
            #expect(
                ServerErrorTests.statuses.union([attempt.first]).contains(answer.status), "\(name): \(answer)"
            )
            if answer.status != attempt.first { refused += 1 }
            for path in ["/sessions", "/sessions/\(ServedScene.set)/markers", "/queue"] {
                let read = try scene.get(path)
                #expect(read.status == 200, "\(name), then \(path): \(read)")
            }
        }
        #expect(refused >= 2, "a marker and the removal of another need room")

        #expect(try disk.run("rm filler").status == 0)
        for (name, attempt) in attempts { try attempt.finish(in: scene, "\(name), with room") }
        try scene.checkSessions("with room")
    }
}
