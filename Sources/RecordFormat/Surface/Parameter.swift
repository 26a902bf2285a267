/// A parameter by which its value is asked for, with its type.
package struct Parameter<Value: Sendable>: Sendable {
    package private(set) var declared: DeclaredParameter
    private let value: @Sendable (ArgumentValue?) -> Value

    private init(_ declared: DeclaredParameter, _ value: @escaping @Sendable (ArgumentValue?) -> Value) {
        self.declared = declared
        self.value = value
    }

    /// The value among those that were given; of arguments that were not checked against this parameter, one that means nothing.
    func value(of given: ArgumentValue?) -> Value { value(given) }

    /// The same parameter in another place, which says or takes it otherwise.
    package func with(
        _ summary: String? = nil, as form: DeclaredParameter.Form? = nil, placeholder: String? = nil,
        completion: DeclaredParameter.Completion? = nil, presence: DeclaredParameter.Presence? = nil,
        memberReading: MemberReading? = nil
    ) -> Self {
        var copy = self
        if let summary { copy.declared.summary = summary }
        if let form { copy.declared.form = form }
        if let placeholder { copy.declared.placeholder = placeholder }
        if let completion { copy.declared.completion = completion }
        if let presence { copy.declared.presence = presence }
        if let memberReading { copy.declared.memberReading = memberReading }
        return copy
    }
}

// The type says whether the value must be there, and how the command line takes it unless `as` says otherwise.

extension Parameter<String> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyText,
        as form: DeclaredParameter.Form = .argument
    ) {
        self.init(
            DeclaredParameter(name: name, type: type, presence: .required, form: form, summary: summary)
        ) { $0?.string ?? "" }
    }
}

extension Parameter<String?> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyText,
        as form: DeclaredParameter.Form = .option
    ) {
        self.init(
            DeclaredParameter(name: name, type: type, presence: .optional, form: form, summary: summary)
        ) { $0?.string }
    }
}

extension Parameter<[String]> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyText,
        as form: DeclaredParameter.Form = .option
    ) {
        self.init(
            DeclaredParameter(name: name, type: type, presence: .repeated, form: form, summary: summary)
        ) { $0?.strings ?? [] }
    }
}

extension Parameter<Double> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyNumber,
        as form: DeclaredParameter.Form = .argument, reading: ArgumentReading? = nil
    ) {
        var declared = DeclaredParameter(
            name: name, type: type, presence: .required, form: form, summary: summary)
        declared.reading = reading
        self.init(declared) { $0?.double ?? 0 }
    }
}

extension Parameter<Double?> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyNumber,
        as form: DeclaredParameter.Form = .option, reading: ArgumentReading? = nil
    ) {
        var declared = DeclaredParameter(
            name: name, type: type, presence: .optional, form: form, summary: summary)
        declared.reading = reading
        self.init(declared) { $0?.double }
    }
}

extension Parameter<Int> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyInteger,
        as form: DeclaredParameter.Form = .argument, reading: ArgumentReading? = nil
    ) {
        var declared = DeclaredParameter(
            name: name, type: type, presence: .required, form: form, summary: summary)
        declared.reading = reading
        self.init(declared) { $0?.integer ?? 0 }
    }
}

extension Parameter<Int?> {
    package init(
        _ name: String, _ summary: String, _ type: ValueType = .anyInteger,
        as form: DeclaredParameter.Form = .option, reading: ArgumentReading? = nil
    ) {
        var declared = DeclaredParameter(
            name: name, type: type, presence: .optional, form: form, summary: summary)
        declared.reading = reading
        self.init(declared) { $0?.integer }
    }
}

extension Parameter<Bool> {
    /// A flag, which is there or is not.
    package init(_ name: String, _ summary: String, letter: Character? = nil) {
        var declared = DeclaredParameter(
            name: name, type: .boolean, presence: .optional, form: .flag, summary: summary)
        declared.letter = letter
        self.init(declared) { $0?.boolean ?? false }
    }
}

extension Parameter<Bool?> {
    /// What can be asked for either way.
    package init(_ name: String, _ summary: String) {
        self.init(
            DeclaredParameter(
                name: name, type: .choice(["true", "false"]), presence: .optional, summary: summary)
        ) { $0?.string.map { $0 == "true" } }
    }
}

extension Parameter where Value == [ArgumentValue.Member] {
    /// Members whose names are data: those of an object of that name, or all that an entry has beside what is declared.
    package init(_ name: String, _ summary: String, placeholder: String, isRest: Bool = false) {
        var declared = DeclaredParameter(
            name: name, type: .members, presence: isRest ? .optional : .required, form: .argument,
            summary: summary)
        declared.placeholder = placeholder
        declared.isRest = isRest
        self.init(declared) { $0?.members ?? [] }
    }

    /// An object that an entry may have.
    package init(object name: String, _ summary: String) {
        self.init(
            DeclaredParameter(name: name, type: .members, presence: .optional, summary: summary)
        ) { $0?.members ?? [] }
    }
}

extension Parameter {
    /// A word of an enumeration that may be left out.
    package init<Word>(
        _ name: String, _ summary: String, as form: DeclaredParameter.Form = .option, standard: Word? = nil
    ) where Word: RawRepresentable<String> & CaseIterable & Sendable, Value == Word? {
        var declared = DeclaredParameter(
            name: name, type: .choice(of: Word.self), presence: .optional, form: form,
            summary: summary)
        declared.standard = standard?.rawValue
        self.init(declared) { $0?.string.flatMap { Word(rawValue: $0) } }
    }
}

extension Parameter where Value: RawRepresentable<String> & CaseIterable {
    /// A word of an enumeration.
    ///
    /// - Parameter otherwise: What means nothing, of arguments that were not checked against this parameter.
    package init(
        required name: String, _ summary: String, as form: DeclaredParameter.Form = .argument,
        otherwise: Value
    ) {
        let declared = DeclaredParameter(
            name: name, type: .choice(of: Value.self), presence: .required, form: form,
            summary: summary)
        self.init(declared) { $0?.string.flatMap { Value(rawValue: $0) } ?? otherwise }
    }
}

extension [DeclaredParameter] {
    /// Those of several parameters, whatever their types.
    package init<each Value>(_ parameters: repeat Parameter<each Value>) {
        self = []
        repeat append((each parameters).declared)
    }
}
