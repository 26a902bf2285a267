internal import TraceText

/// Something that is wrong with the configuration, and which keys it may be about.
package struct SettingsMistake: Sendable {
    /// What is wrong, with the cure.
    package let error: ConfigurationError
    private let concern: Concern

    private enum Concern: Sendable {
        /// A file that can't be used: nobody knows what it says.
        case anything
        /// A key that exists.
        case key(String)
        /// A key that does not exist, and whether it holds a path.
        case unknown(String, holdsPath: Bool)
    }

    /// What is wrong with a key.
    ///
    /// - Parameter holdsPath: Whether its value looks like a path.
    init(_ error: ConfigurationError, holdsPath: Bool = false) {
        self.error = error
        concern =
            switch error.key {
            case let key? where error.code == .unknownKey: .unknown(key, holdsPath: holdsPath)
            case let key?: .key(key)
            case nil: .anything
            }
    }

    /// What is wrong with a file as a whole.
    init(ofFile error: ConfigurationError) {
        self.error = error
        concern = .anything
    }

    /// Whether it may be about one of these keys: an unknown key is, too, if that is the name that it looks most like, or if it holds a path and
    /// looks like no other.
    package func mayConcern(_ keys: [any SettingDeclaration]) -> Bool {
        let names = keys.map(\.name)
        switch concern {
        case .anything: return true
        case .key(let key): return names.contains(key)
        case .unknown(let key, let holdsPath):
            let known = TraceKeys.all.map(\.name)
            if let likely = likelyName(for: key, among: known) { return names.contains(likely) }
            return holdsPath || nearestName(to: key, among: known).map(names.contains) ?? false
        }
    }

    /// Whether it is known to be about one of these keys.
    func concerns(_ keys: [any SettingDeclaration]) -> Bool {
        if case .key(let key) = concern { keys.contains { $0.name == key } } else { false }
    }
}
