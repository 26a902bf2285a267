/// What is known of a key apart from the Swift type of its value: what the unknown-key check and the documentation need.
package protocol SettingDeclaration: Sendable {
    /// The name in a configuration file, in snake case.
    var name: String { get }
    /// Whether it holds several values (in the environment: separated by colons).
    var isList: Bool { get }
    /// What it can hold, with the range if there is one.
    var valueText: String { get }
    /// The default, as text.
    var defaultText: String { get }
    /// What it does, in one line.
    var documentation: String { get }
}

extension SettingDeclaration {
    /// The environment variable that sets it.
    package var variable: String { "TRACE_" + name.uppercased() }
}

/// The declaration of one key: everything about it stands here, and only here.
package struct SettingKey<Value: Sendable>: SettingDeclaration {
    /// The name in a configuration file, in snake case.
    package let name: String
    /// What it can hold.
    let type: SettingType<Value>
    /// What it holds if nobody says anything.
    let defaultValue: SettingDefault<Value>
    /// What it does, in one line.
    package let documentation: String

    /// Declares a key.
    init(
        _ name: String, _ type: SettingType<Value>, default defaultValue: SettingDefault<Value>,
        _ documentation: String
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.documentation = documentation
    }

    /// Whether it holds several values.
    package var isList: Bool { type.isList }

    /// What it can hold, with the range if there is one.
    package var valueText: String { type.label() }

    /// The default, as text.
    package var defaultText: String {
        switch defaultValue {
        case .fixed(let value):
            switch type.write(value) {
            case "": "none"
            case let text: "`\(text)`"
            }
        case .derived(let text, _): text
        }
    }
}

/// The default of a key.
enum SettingDefault<Value: Sendable>: Sendable {
    /// Always the same.
    case fixed(Value)
    /// Depends on the process or on other keys; described by the text.
    case derived(String, @Sendable (SettingsResolver) throws(ConfigurationError) -> Resolved<Value>)
}
