import Foundation
import ProgramHarness
import Testing

extension Scratch {
    /// The names of the tokens that there are.
    func tokens() throws -> [String] {
        let outcome = try trace("token", "list", "--json")
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        let list = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        return try #require(list).compactMap { $0["name"] as? String }
    }

    /// Checks that each file of a token or of a pairing is whole, and that nothing of an unfinished one is left.
    func checkTokens(_ what: String = "") throws {
        for directory in ["state/access", "state/access/pairing"] where exists(directory) {
            for name in try names(in: directory) where !["access.log", "pairing"].contains(name) {
                #expect(name.hasSuffix(".json") && !name.hasPrefix("."), "\(what): \(directory)/\(name)")
                let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(directory)/\(name)"))
                let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
                #expect(object?["name"] is String, "\(what): \(directory)/\(name)")
            }
        }
    }
}
