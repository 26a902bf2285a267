import NIOCore
import Testing

@testable import TraceServer

/// Bodies that are read with their answers.
struct GatheredResponseTests {
    private func answer(_ bytes: [UInt8], length: Int64?, fails: Bool = false) -> Response {
        Response(body: .source(Pieces(rest: bytes, size: 2, failsAtEnd: fails), length: length))
    }

    @Test(arguments: [0, 1, 2, 5, 8])
    func `a short one is in memory, piece by piece`(count: Int) throws {
        let bytes = (0..<count).map { UInt8($0) }
        let gathered = try answer(bytes, length: Int64(count)).gathered(upTo: 8)
        guard case .bytes(let body) = gathered.body else {
            Issue.record("the body is still to be read")
            return
        }
        #expect(Array(body.readableBytesView) == bytes)
    }

    @Test func `a longer one, and one of unknown length, are read while they are sent`() throws {
        for length in [9, nil] as [Int64?] {
            guard case .source = try answer([1, 2, 3], length: length).gathered(upTo: 8).body else {
                Issue.record("the body was read")
                continue
            }
        }
    }

    @Test func `what can't be read is an error before anything was sent`() throws {
        #expect(throws: Pieces.Failure.self) {
            try answer([1, 2, 3], length: 4, fails: true).gathered(upTo: 8)
        }
    }
}
