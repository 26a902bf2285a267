internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// What a key can hold: how a value is read, how it is written, and how the documentation names it.
///
/// Texts for people are made only when asked for: every command loads the settings, few show them.
struct SettingType<Value: Sendable>: Sendable {
    /// The name for the documentation, with the range if there is one.
    let label: @Sendable () -> String
    /// Whether it holds several values.
    let isList: Bool
    /// What separates the values of a list in the environment.
    var separator: Character = ":"
    /// Reads a value.
    let read: @Sendable (SettingInput) throws(SettingProblem) -> Value
    /// Writes a value as ``read`` accepts it, each text of a list for itself.
    let texts: @Sendable (Value) -> [String]

    /// Writes a value in one text, as the environment has it.
    func write(_ value: Value) -> String { texts(value).joined(separator: String(separator)) }

    /// A type that holds one text.
    static func single(
        _ label: @escaping @autoclosure @Sendable () -> String,
        read: @escaping @Sendable ([UInt8], SettingInput) throws(SettingProblem) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) -> SettingType {
        SettingType(
            label: label, isList: false,
            read: { (input) throws(SettingProblem) in
                guard let text = input.texts.first, input.texts.count == 1 else {
                    throw SettingProblem(
                        .wrongType, "has \(input.texts.count) values",
                        cure: "give it one value: \(label())")
                }
                return try read(text, input)
            }, texts: { [write($0)] })
    }
}

/// A problem with a value, before its key and location are added.
struct SettingProblem: Error {
    /// The code of the error that it becomes.
    let code: ConfigurationError.Code
    /// What is wrong, to stand after the key.
    let message: String
    /// The cure.
    let cure: Cure
    /// The index of the text concerned, in a list.
    var text: Int?

    /// Creates a problem.
    init(_ code: ConfigurationError.Code, _ message: String, cure: Cure) {
        self.code = code
        self.message = message
        self.cure = cure
    }
}
