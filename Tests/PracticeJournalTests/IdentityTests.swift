import PracticeJournal
import RecordFormat
import Testing

struct IdentityTests {
    @Test(arguments: GoldenCase.all(of: "practice-uuids"))
    func `ids follow from what they are made of`(golden: GoldenCase) throws {
        let expected = golden["expect"]?.string
        if let entry = golden["entry"]?.string {
            let role = try #require(DerivedID.Role(rawValue: golden.text("role")))
            #expect(DerivedID.id(of: try #require(ULID(entry)), role) == expected)
        } else if golden.text("prefix") == "study" {
            let parts = golden.text("raw").split(separator: ":").map(String.init)
            #expect(LegacyID.study(ofRow: parts[0], task: parts[1]) == expected)
        } else {
            let prefix = try #require(LegacyID.Prefix(rawValue: golden.text("prefix")))
            let occurrence = try #require(golden["occurrence"]?.integer)
            let id = LegacyID(
                prefix, raw: golden.value.members.first { $0.name == "raw" }?.value.string ?? "",
                occurrence: occurrence)
            #expect(id.id == expected)
        }
    }

    @Test(arguments: [
        ("0C9A7B5E-3D21-4F60-8A9B-CCDDEEFF0011", true), ("0c9a7b5e-3d21-4f60-8a9b-ccddeeff0011", true),
        ("0C9A7B5E3D214F608A9BCCDDEEFF0011", false), ("0C9A7B5E-3D21-4F60-8A9B-CCDDEEFF001", false),
        ("0C9A7B5E-3D21-4F60-8A9B-CCDDEEFF00112", false), ("0C9A7B5E-3D21-4F60-8A9B-CCDDEEFF001G", false),
        ("", false),
    ])
    func `a UUID is 8-4-4-4-12 hexadecimal digits`(text: String, isUUID: Bool) {
        #expect(UUIDText.isUUID(text) == isUUID)
    }

    @Test(arguments: 0..<36)
    func `no other byte is taken for a hexadecimal digit or a hyphen`(position: Int) {
        let uuid = Array("0c9A7b5E-3d21-4F60-8a9B-ccDDeeFF0011".utf8)
        for byte in UInt8.min...UInt8.max {
            var text = uuid
            text[position] = byte
            let allowed = uuid[position] == UInt8(ascii: "-") ? "-" : "0123456789abcdefABCDEF"
            let isUUID = UUIDText.isUUID(String(decoding: text, as: UTF8.self))
            #expect(isUUID == allowed.utf8.contains(byte), "byte \(byte)")
        }
    }
}
