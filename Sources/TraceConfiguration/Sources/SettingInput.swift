internal import SystemPackage

/// The raw input for a key from one source, before parsing.
struct SettingInput: Sendable {
    /// The text as bytes: one for a single value, any number for a list.
    let texts: [[UInt8]]
    /// Where the key stands.
    let origin: SettingOrigin
    /// Where each text stands, if that is another place than the key's.
    var textOrigins: [SettingOrigin] = []
    /// The directory that relative paths start from, or nil if it no longer exists.
    let baseDirectory: FilePath?
    /// The directory that `~` stands for, if there is one.
    let home: FilePath?

    /// The values of a list, of which the first of equals is kept.
    ///
    /// - Throws: ``SettingProblem`` of the first text that can't be read, with its index.
    func list<Element: Equatable>(
        _ read: ([UInt8]) throws(SettingProblem) -> Element
    ) throws(SettingProblem) -> [Element] {
        var elements: [Element] = []
        for (index, text) in texts.enumerated() {
            do throws(SettingProblem) {
                let element = try read(text)
                if !elements.contains(element) { elements.append(element) }
            } catch {
                var problem = error
                problem.text = index
                throw problem
            }
        }
        return elements
    }
}

/// A value and its origin.
struct Resolved<Value: Sendable>: Sendable {
    /// The value.
    let value: Value
    /// Where it comes from.
    let origin: SettingOrigin

    /// Creates a resolved value.
    init(_ value: Value, from origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }

    /// The same origin with a value made from this one.
    func map<Other>(_ transform: (Value) -> Other) -> Resolved<Other> {
        Resolved<Other>(transform(value), from: origin)
    }
}
