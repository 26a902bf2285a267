import Dispatch
import FileHarness
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceText

@testable import TraceAccess

struct PairingCodesTests {
    let scratch: ScratchDirectory
    let scene: AccessScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = AccessScene(in: scratch.path)
    }

    private func begin(_ name: String = "phone") throws -> PairingCodes.Begun {
        try scene.codes().begin(AccessScene.grant(name), at: morning)
    }

    @Test(arguments: [false, true]) func `a device gets its token for either code, once`(isLong: Bool) throws
    {
        let begun = try begin()
        let code = isLong ? begun.secret : begun.code
        #expect(code.isLong == isLong)
        let (token, secret) = try scene.codes().redeem(
            PairingCode(parsing: code.text.utf8), name: "other", at: morning.later(299))
        #expect(token.grant == AccessScene.grant("phone"))
        #expect(try scene.tokens().token(with: secret) == token)
        for code in [begun.code, begun.secret] {
            #expect(
                FileHarness.code(of: AccessError.self) { try scene.codes().redeem(code, at: morning) }
                    == .pairingCodeRefused)
        }
        #expect(try scene.names() == ["phone"])
    }

    @Test(arguments: [
        ("", "Ann's phone", "Ann's phone"), ("", nil, "device of ann"), ("", "\u{1B}[2J", "device of ann"),
        ("mine", "Ann's phone", "mine"),
    ])
    func `the owner's name counts, else the device's`(owner: String, device: String?, name: String) throws {
        let begun = try begin(owner)
        #expect(try scene.codes().redeem(begun.code, name: device, at: morning).token.name == name)
    }

    @Test func `the files say nothing of the codes`() throws {
        let begun = try begin()
        let text = try scene.pairing.appending("\(begun.pairing.id).json").text().lowercased()
        #expect(!text.contains(begun.code.text.replacing("-", with: "").lowercased()))
        #expect(!text.contains(begun.secret.text))
    }

    @Test func `a code that is wrong or expired is refused, and the expired one is removed`() throws {
        let begun = try begin()
        #expect(
            code(of: AccessError.self) { try scene.codes().redeem(.short(), at: morning) }
                == .pairingCodeRefused)
        #expect(
            code(of: AccessError.self) { try scene.codes().redeem(.long(), at: morning) }
                == .pairingCodeRefused)
        #expect(try scene.codes().live(at: morning.later(299)) == [begun.pairing])
        #expect(
            code(of: AccessError.self) { try scene.codes().redeem(begun.code, at: morning.later(300)) }
                == .pairingCodeRefused)
        #expect(!scene.pairing.appending("\(begun.pairing.id).json").exists)
        #expect(try scene.names() == [])
    }

    @Test func `a clock that was set back keeps no code alive`() throws {
        let begun = try begin()
        #expect(
            code(of: AccessError.self) { try scene.codes().redeem(begun.code, at: morning.later(-86_400)) }
                == .pairingCodeRefused)
    }

    @Test func `a device whose name is taken gets a number behind it`() throws {
        _ = try scene.add("phone")
        let codes = try (0..<2).map { _ in try begin("phone").code }
        let names = try codes.map { try scene.codes().redeem($0, at: morning).token.name }
        #expect(names == ["phone 2", "phone 3"])
        let long = String(repeating: "é", count: 100)
        _ = try scene.add(long)
        let name = try scene.codes().redeem(begin(long).code, at: morning).token.name
        #expect(name == String(repeating: "é", count: 99) + " 2")
    }

    @Test func `there is nothing to redeem before the first pairing`() throws {
        #expect(
            code(of: AccessError.self) { try scene.codes().redeem(.short(), at: morning) }
                == .pairingCodeRefused)
        #expect(try scene.codes().endAll() == 0)
        #expect(!scene.state.exists)
    }

    @Test func `after guesses all codes end, and tokens stay`() throws {
        _ = try scene.add("old")
        let first = try begin()
        let second = try begin("laptop")
        #expect(try scene.codes().endAll() == 2)
        for begun in [first, second] {
            #expect(
                code(of: AccessError.self) { try scene.codes().redeem(begun.code, at: morning) }
                    == .pairingCodeRefused)
        }
        #expect(try scene.names() == ["old"])
    }

    @Test func `a damaged pairing is removed, and stops no other`() throws {
        let broken = try begin()
        let file = scene.pairing.appending("\(broken.pairing.id).json")
        try file.write(try file.text().replacing("\"scope\":\"mark\"", with: "\"scope\":\"all\""))
        let whole = try begin("laptop")
        #expect(
            code(of: AccessError.self) { try scene.codes().redeem(broken.code, at: morning) }
                == .pairingCodeRefused)
        #expect(!file.exists)
        #expect(try scene.codes().redeem(whole.code, at: morning).token.name == "laptop")
    }

    @Test func `of many at once with one code, one gets a token`() throws {
        for _ in 0..<Torture.size(full: 200, sample: 20) {
            let begun = try begin()
            let outcomes = Mutex<[AccessErrorCode?]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { index in
                let code = index.isMultiple(of: 2) ? begun.code : begun.secret
                do {
                    _ = try scene.codes().redeem(code, at: morning)
                    outcomes.withLock { $0.append(nil) }
                } catch let error as AccessError {
                    outcomes.withLock { $0.append(error.code) }
                } catch { Issue.record(error) }
            }
            let all = outcomes.withLock { $0 }
            #expect(all.filter { $0 == nil }.count == 1)
            #expect(all.allSatisfy { $0 == nil || $0 == .pairingCodeRefused }, "\(all)")
            let list = try scene.tokens().list()
            #expect(list.tokens.count == 1)
            for token in list.tokens { try scene.tokens().revoke(token.id) }
        }
    }
}
