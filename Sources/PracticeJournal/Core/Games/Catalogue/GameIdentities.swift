internal import RecordFormat

/// Which game a machine of OPDB is: its group, unless people have told the games of a group apart.
///
/// Source: docs/spec/practice.md#the-catalogue.
struct GameIdentities: Sendable {
    private let curated: [String: String]
    /// The groups of which some machines are games of their own.
    let splitGroups: Set<String>

    init() {
        curated = [:]
        splitGroups = []
    }

    /// - Parameter root: What `practice_identity_curations_v1.json` has.
    init(_ root: JSONValue) {
        var curated: [String: String] = [:]
        for entry in root.list("splits").flatMap({ $0.list("practiceEntries") }) {
            guard let identity = entry.text("practiceIdentity") else { continue }
            for id in entry.texts("memberOpdbIds") where curated[id] == nil { curated[id] = identity }
        }
        self.curated = curated
        splitGroups = Set(curated.keys.compactMap(Self.group))
    }

    /// Nil for an id that does not begin with one.
    static func group(of id: String) -> String? {
        let group = id.trimmed.prefix { $0 != "-" }
        return group.first == "G" ? String(group) : nil
    }

    /// Nil for a blank id.
    func identity(of id: String) -> String? {
        id.trimmedOrNil.map { curated[$0] ?? Self.group(of: $0) ?? $0 }
    }
}
