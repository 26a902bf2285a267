import TestSupport
import Testing
import RecordFormat

struct ULIDTests {
    static let valid = [
        "00000000000000000000000000", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "0123456789ABCDEFGHJKMNPQRS", "TVWXYZTVWXYZTVWXYZTVWXYZTV",
        // 128 bits end at a first character of 7; a foreign writer's ids may go beyond.
        "80000000000000000000000000", "G1ARZ3NDEKTSV4RRFFQ69G5FAV", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ",
    ]

    @Test(arguments: valid) func `a text of 26 characters of the alphabet is kept exactly`(text: String)
        throws
    {
        let id = try #require(ULID(text))
        #expect(id.description == text)
        #expect(id.bytes == Array(text.utf8))
        #expect(ULID(text[...]) == id)
    }

    @Test(arguments: [
        "", "0", "0000000000000000000000000", "000000000000000000000000000", "01ARZ3NDEKTSV4RRFFQ69G5FAV\n",
        "01arz3ndektsv4rrffq69g5fav", "01ARZ3NDEKTSV4RRFFQ69G5FA ", " 1ARZ3NDEKTSV4RRFFQ69G5FAV",
        "I1ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSL4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69O5FAV",
        "01ARZ3NDEKTSV4RRFFQ69G5FAU", "01ARZ3NDEKTSV4RRFFQ69G5F\u{00C4}", "０1ARZ3NDEKTSV4RRFFQ69G5",
        "01ARZ3NDE-TSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FA\0",
    ])
    func `anything else is no id`(text: String) {
        #expect(ULID(text) == nil)
    }

    @Test func `every byte at every place is taken exactly when it is of the alphabet`() {
        let alphabet = Set("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        for place in 0..<ULID.length {
            for byte in UInt8.min...UInt8.max {
                var text = Array("01ARZ3NDEKTSV4RRFFQ69G5FAV".utf8)
                text[place] = byte
                let id = text.withUnsafeBytes { ULID(bytes: $0) }
                #expect(id?.bytes == (alphabet.contains(byte) ? text : nil), "byte \(byte) at \(place)")
            }
        }
    }

    @Test func `ids are ordered and equal as their texts are`() throws {
        var random = SeededRandom(seed: 1)
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        let texts = (0..<500).map { _ in
            // Long runs of one character make ids that differ late.
            String(
                (0..<ULID.length).map { _ in Bool.random(using: &random) ? "0" : random.element(of: alphabet)
                })
        }
        let ids = try texts.map { try #require(ULID($0)) }
        #expect(ids.sorted().map(\.description) == texts.sorted())
        #expect(Set(ids).count == Set(texts).count)
    }
}
