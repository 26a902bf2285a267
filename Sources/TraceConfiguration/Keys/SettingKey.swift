/// The type-erased declaration of a key: what the unknown-key check and the documentation need.
package protocol SettingDeclaration: Sendable {
    /// The name in a configuration file, in snake case.
    var name: String { get }
    /// Whether it holds several values.
    var isList: Bool { get }
    /// What separates the values of a list in the environment.
    var separator: Character { get }
    /// What it can hold, with the range if there is one.
    var valueText: String { get }
    /// The default, as text.
    var defaultText: String { get }
    /// What it does, in one line.
    var documentation: String { get }
    /// What stands for it in the example file, a text for each of a list.
    var exampleTexts: [String] { get }
}

extension SettingDeclaration {
    /// The environment variable that sets it.
    var variable: String { "TRACE_" + name.uppercased() }
}

/// The declaration of one key: everything about it is here, and only here.
package struct SettingKey<Value: Sendable>: SettingDeclaration {
    /// The name in a configuration file, in snake case.
    package let name: String
    /// What it can hold.
    let type: SettingType<Value>
    /// What it holds if nobody says anything.
    let defaultValue: SettingDefault<Value>
    /// What it does, in one line.
    package let documentation: String
    /// What stands for it in the example file; nil for the default.
    private let example: [String]?

    /// Declares a key.
    init(
        _ name: String, _ type: SettingType<Value>, default defaultValue: SettingDefault<Value>,
        example: [String]? = nil, _ documentation: String
    ) {
        self.example = example
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.documentation = documentation
    }

    /// Whether it holds several values.
    package var isList: Bool { type.isList }

    /// What separates the values of a list in the environment.
    package var separator: Character { type.separator }

    /// What it can hold, with the range if there is one.
    package var valueText: String { type.label() }

    /// What stands for it in the example file, a text for each of a list.
    package var exampleTexts: [String] {
        if let example { return example }
        guard case .fixed(let value) = defaultValue else { return [] }
        return type.texts(value)
    }

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
    case derived(String, @Sendable (SettingsResolver) -> Resolved<Value>)
}
