import Foundation
import PracticeJournal
import Testing

struct DiacriticTests {
    /// Foundation decomposes what Unicode had before version 16; the standard library's own knowledge of characters is newer.
    @Test func `every character loses the diacritics that it has, and nothing else`() {
        var wrong: [String] = []
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.properties.age?.major ?? 0 < 16 else { continue }
            let text = String(Character(scalar))
            let plain = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
                $0.properties.canonicalCombiningClass == .notReordered
            }
            if !text.withoutDiacritics.unicodeScalars.elementsEqual(plain) {
                wrong.append(String(value, radix: 16))
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test(arguments: [
        ("Zoë Hart", "Zoe Hart"), ("Zoe\u{308} Hart", "Zoe Hart"), ("Ṩǟ", "Sa"), ("\u{1E69}\u{301}", "s"),
        ("각", "\u{1100}\u{1161}\u{11A8}"), ("가", "\u{1100}\u{1161}"), ("\u{2F800}", "丽"), ("ø", "ø"),
        ("≠", "="), ("", ""),
    ])
    func `a text is decomposed`(text: String, plain: String) {
        #expect(text.withoutDiacritics.unicodeScalars.elementsEqual(plain.unicodeScalars))
    }
}
