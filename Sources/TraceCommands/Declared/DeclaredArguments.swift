internal import ArgumentParser
internal import RecordFormat
internal import TraceStore
internal import TraceText

/// A verb as one of the commands that it becomes.
protocol VerbForm {
    static var verb: Verb { get }
    static var parameters: [DeclaredParameter] { get }
}

/// Below the name of its kind.
enum TypedVerb<Declaration: DeclaredVerb>: VerbForm {
    static var verb: Verb { Declaration.verb }
    static var parameters: [DeclaredParameter] { verb.parameters + verb.ownParameters }
}

/// Below `trace queue add` and the name of its kind.
enum QueuedVerb<Declaration: DeclaredVerb>: VerbForm {
    static var verb: Verb { Declaration.verb }
    static var parameters: [DeclaredParameter] { verb.parameters }
}

/// The arguments of a verb. The parser finds the wrappers of its properties by reflection; here they are made of the declared parameters.
struct DeclaredArguments<Form: VerbForm>: ParsableArguments, CustomReflectable {
    private(set) var values = Arguments()
    private var typed: [String: [String]] = [:]

    init() {}

    var customMirror: Mirror {
        Mirror(self, children: Form.parameters.map { (label: $0.name, value: $0.wrapper) })
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ParameterKey.self)
        for parameter in Form.parameters {
            typed[parameter.name] = try container.typed(parameter, ParameterKey(stringValue: parameter.name))
        }
    }

    mutating func validate() throws {
        do throws(ArgumentProblem) {
            values = try Arguments(typed: typed, as: Form.parameters)
            try Form.verb.check(values)
        } catch {
            // The parser shows no hints: what is to be written instead stands behind what is wrong.
            throw ValidationError(error.cure?.text.map { "\(error.typed): \($0)" } ?? error.typed)
        }
    }
}

private struct ParameterKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<ParameterKey> {
    /// What was typed for a parameter; nil for nothing.
    fileprivate func typed(_ parameter: DeclaredParameter, _ key: ParameterKey) throws -> [String]? {
        switch (parameter.form, parameter.presence, parameter.type) {
        case (.flag, _, _): try decode(Flag<Bool>.self, forKey: key).wrappedValue ? ["true"] : nil
        case (.argument, _, .members), (.argument, .repeated, _):
            try decode(Argument<[String]>.self, forKey: key).wrappedValue
        case (.argument, .required, _): [try decode(Argument<String>.self, forKey: key).wrappedValue]
        case (.argument, .optional, _):
            try decode(Argument<String?>.self, forKey: key).wrappedValue.map { [$0] }
        case (.option, .required, _): [try decode(Option<String>.self, forKey: key).wrappedValue]
        case (.option, .optional, _):
            try decode(Option<String?>.self, forKey: key).wrappedValue.map { [$0] }
        case (.option, .repeated, _): try decode(Option<[String]>.self, forKey: key).wrappedValue
        }
    }
}

extension DeclaredParameter {
    /// The property wrapper that a command written by hand would have.
    fileprivate var wrapper: Any {
        let sentence = summary + meant
        // An address is to be copied as it is.
        let help = ArgumentHelp("\(sentence)\(sentence.hasSuffix("/") ? "" : ".")", valueName: placeholder)
        return switch (form, presence, type) {
        case (.flag, _, _): Flag(wrappedValue: false, name: names, help: help)
        case (.argument, .required, .members):
            Argument<[String]>(help: help, completion: shellCompletion, transform: words)
        case (.argument, _, .members):
            Argument<[String]>(
                wrappedValue: [], help: help, completion: shellCompletion, transform: words)
        case (.argument, .repeated, _):
            Argument<[String]>(
                wrappedValue: [], help: help, completion: shellCompletion, transform: checked)
        case (.argument, .required, _):
            Argument<String>(help: help, completion: shellCompletion, transform: checked)
        case (.argument, .optional, _):
            Argument<String?>(help: help, completion: shellCompletion, transform: checked)
        case (.option, .required, _):
            Option<String>(name: names, help: help, completion: shellCompletion, transform: checked)
        case (.option, .optional, _):
            Option<String?>(name: names, help: help, completion: shellCompletion, transform: checked)
        case (.option, .repeated, _):
            Option<[String]>(
                wrappedValue: [], name: names, help: help, completion: shellCompletion, transform: checked)
        }
    }

    private var names: NameSpecification {
        letter.map { [.customShort($0), .customLong(typedName)] } ?? .customLong(typedName)
    }

    /// What help says of the word that is meant if it is left out.
    private var meant: String { standard.map { "; by default, \($0)" } ?? "" }

    private var shellCompletion: CompletionKind? {
        switch (completion, type) {
        case (.files, _): .file()
        case (.directories, _): .directory
        case (.nothing, .choice(let words)): .list(words)
        case (.nothing, _): nil
        }
    }

    /// A value that does not fit is reported by the parser, which names the argument as it was typed.
    private var checked: @Sendable (String) throws -> String {
        { text in
            // A path need not be UTF-8, and carries what is not.
            if case .file = type { return text }
            let text = try words(text)
            do throws(ArgumentProblem) { _ = try read(text) } catch { throw ValidationError(error.asked) }
            return text
        }
    }
}

extension ArgumentProblem {
    /// As a person at the terminal reads it.
    var typed: String {
        switch reason {
        case .missing: "\(path) is missing"
        case .unknown(let known): "there is no '\(path)'; there is \(known.joined(separator: ", "))"
        case .malformed(let words): "\(path) must be \(words.inJSON)"
        case .refused(let message): message
        }
    }

    /// What is to be written instead of a value that has just been named.
    fileprivate var asked: String {
        if case .malformed(let words) = reason { return "write \(words.asText)" }
        return cure?.text ?? typed
    }
}
