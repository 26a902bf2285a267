import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceFiles
import TraceStore

@testable import TraceAccess

struct PairingAddressTests {
    private static let host = PairingAddress.hostName

    @Test(
        arguments: [
            ([], nil, nil, false), (["unix:/run/trace/http.sock"], nil, nil, false),
            (["8722"], nil, nil, false),
            (["127.0.0.1:8722"], nil, "http://127.0.0.1:8722", true),
            (["127.0.0.1:0"], nil, nil, false),
            (["127.0.0.1:0", "127.0.0.1:41"], nil, "http://127.0.0.1:41", true),
            (["[::1]:8722"], nil, "http://[::1]:8722", true),
            (
                ["unix:/run/trace/http.sock", "192.0.2.7:80", "127.0.0.1:8722"], nil, "http://192.0.2.7:80",
                false
            ),
            (["0.0.0.0:8722"], nil, "http://\(host):8722", false),
            (["[::]:8722"], nil, "http://\(host):8722", false),
            (["127.0.0.1:8722"], "https://trace.example.org", "https://trace.example.org", false),
            ([], "https://example.org/trace//", "https://example.org/trace", false),
        ] as [([String], String?, String?, Bool)])
    func `the address is the public one, else the first that listens`(
        listen: [String], publicURL: String?, base: String?, isLocal: Bool
    ) {
        let address = PairingAddress(listen: listen, publicURL: publicURL)
        #expect(address.base == base)
        #expect(address.isLocal == isLocal)
        #expect(address.withFragment("p", "x") == base.map { "\($0)/#p=x" })
    }

    @Test func `with TLS it says so`() {
        #expect(
            PairingAddress(listen: ["192.0.2.7:443"], publicURL: nil, isEncrypted: true).base
                == "https://192.0.2.7:443")
    }

    // MARK: - QR code

    /// A program that stands in for `qrencode`.
    private func program(_ script: String, in scratch: ScratchDirectory) throws -> FilePath {
        try scratch.write("#!/bin/sh\n\(script)\n", to: "qrencode")
        try #require(chmod(scratch("qrencode").string, 0o755) == 0)
        return scratch("qrencode")
    }

    @Test func `the text is drawn from standard input, where no list of processes shows it`() throws {
        let scratch = try ScratchDirectory()
        let drawing = try QRCode.drawing(
            of: "https://example.org/#p=x", by: program("echo \"$*\"; cat", in: scratch))
        #expect(String(decoding: drawing, as: UTF8.self) == "-t ANSIUTF8 -o -\nhttps://example.org/#p=x")
    }

    @Test func `a program that is missing or fails says so`() throws {
        let scratch = try ScratchDirectory()
        #expect(
            code(of: StoreError.self) { try QRCode.drawing(of: "x", by: scratch("nothing")) } == .toolMissing)
        let failing = try program("cat >/dev/null; echo broken >&2; exit 3", in: scratch)
        #expect(code(of: StoreError.self) { try QRCode.drawing(of: "x", by: failing) } == .toolFailed)
    }
}
