import Dispatch
import FileHarness
import Glibc
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles

@testable import TraceAccess

struct LinkKeyTests {
    let scratch: ScratchDirectory
    let scene: AccessScene
    let message = Array("GET /media 1".utf8)

    init() throws {
        scratch = try ScratchDirectory()
        scene = AccessScene(in: scratch.path)
    }

    private var file: FilePath { scene.access.appending("secret") }

    @Test func `a signature holds for its message, and after a restart`() throws {
        let signature = try LinkKey(state: scene.state).signature(of: message)
        let again = try LinkKey(state: scene.state)
        #expect(again.isSignature(signature, of: message))
        #expect(!again.isSignature(signature, of: message + [0]))
        #expect(!again.isSignature(signature.dropLast(), of: message))
        #expect(!again.isSignature([], of: message))
    }

    @Test func `the key is for its owner alone, in a shared directory too`() throws {
        try OpenDirectory.make(scene.state)
        try #require(chmod(scene.state.string, 0o2770) == 0)
        _ = try LinkKey(state: scene.state)
        let status = try OpenDirectory(scene.access).status(of: "secret", followingLinks: false)
        #expect(status.permissions == 0o600)
        #expect(status.identity.size == 32)
        #expect(!"\(try LinkKey(state: scene.state))".contains("key:"))
    }

    @Test func `processes that make it at once have the same`() throws {
        for _ in 0..<20 {
            let signatures = Mutex<Set<[UInt8]>>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do {
                    let signature = try LinkKey(state: scene.state).signature(of: message)
                    signatures.withLock { _ = $0.insert(signature) }
                } catch { Issue.record(error) }
            }
            #expect(signatures.withLock(\.count) == 1)
            try #require(unlink(file.string) == 0)
        }
    }

    @Test(arguments: ["", "short", String(repeating: "x", count: 33)])
    func `a damaged key is reported, and not replaced`(contents: String) throws {
        _ = try LinkKey(state: scene.state)
        try file.write(contents)
        #expect(code(of: AccessError.self) { try LinkKey(state: scene.state) } == .linkKeyDamaged)
        #expect(try file.text() == contents)
    }

    @Test func `a failure of any step leaves no key, or a whole one`() throws {
        let steps = Steps()
        _ = try LinkKey(state: scene.state) { step, _ throws(Errno) in _ = steps.add(step) }
        let count = steps.all.count
        #expect(count > 2)
        for fatal in 1...count {
            try #require(unlink(file.string) == 0)
            let steps = Steps()
            #expect(throws: FileError.self) {
                try LinkKey(state: scene.state) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { throw .ioError }
                }
            }
            let key = try LinkKey(state: scene.state)
            #expect(try key.isSignature(key.signature(of: message), of: message))
            #expect(try scene.leftovers() == ["secret"])
        }
    }
}
