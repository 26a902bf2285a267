import TestSupport
import Testing

@testable import TraceIndex

/// Hashes of bytes in pieces.
@Suite struct FingerprintTests {
    private func hash(_ pieces: [[UInt8]]) -> UInt64 {
        var fingerprint = Fingerprint()
        for piece in pieces { piece.withUnsafeBytes { fingerprint.update($0) } }
        return fingerprint.value
    }

    @Test func `pieces hash as the whole does`() {
        var numbers = SeededRandom(seed: 1)
        for length in 0..<70 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let cut = Int.random(in: 0...length, using: &numbers)
            let other = Int.random(in: cut...length, using: &numbers)
            let pieces = [Array(bytes[..<cut]), Array(bytes[cut..<other]), Array(bytes[other...])]
            #expect(hash(pieces) == hash([bytes]))
        }
    }

    @Test func `every byte, every bit and the length count`() {
        var seen = Set([hash([])])
        let bytes = [UInt8](repeating: 0, count: 40)
        for length in 1...40 { #expect(seen.insert(hash([Array(bytes.prefix(length))])).inserted) }
        for bit in 0..<320 {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(seen.insert(hash([changed])).inserted)
        }
    }

    @Test func `a hasher covers what stands before the last line break, however it comes`() {
        var numbers = SeededRandom(seed: 2)
        let text: [UInt8] = (0..<200_000).map { $0 % 97 == 0 ? 0x0A : UInt8(0x20 + $0 % 90) }
        let end = (text.lastIndex(of: 0x0A) ?? 0) + 1
        func blocks(_ pieces: [ArraySlice<UInt8>], _ hasher: BlockHasher = BlockHasher()) -> [UInt64] {
            var hasher = hasher
            for piece in pieces { piece.withUnsafeBytes { hasher.update($0) } }
            return hasher.blocks
        }
        let whole = blocks([text[...]])
        #expect(whole.count == (end + BlockHasher.blockSize - 1) / BlockHasher.blockSize)
        #expect(blocks([text[..<end]]) == whole)
        for _ in 0..<20 {
            let cut = Int.random(in: 0...text.count, using: &numbers)
            #expect(blocks([text[..<cut], text[cut...]]) == whole)
        }
        #expect(blocks([[1, 2, 3]]) == [])
    }
}
