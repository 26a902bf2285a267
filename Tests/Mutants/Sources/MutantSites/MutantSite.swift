/// A place in a source file where one change can be switched on while the program runs.
///
/// The change is made by inserting text before and behind the place, never by taking text away, and never with a line
/// break: so changes may lie within one another, and a line of the changed file has the number that it had before.
package struct MutantSite: Sendable {
    /// What kind of change it is.
    package enum Change: String, Sendable {
        /// A comparison becomes its neighbour: `<` and `<=`, `>` and `>=`, `==` and `!=`.
        case comparison
        /// A condition is turned round.
        case negation
        /// A guard, or an `if` that only leaves, never finds anything amiss.
        case check
        /// An optional binding or a pattern never matches.
        case binding
        /// An operand of `&&` or `||` is left out.
        case operand
        /// What makes something durable is not called.
        case sync
        /// A `throw` is passed over.
        case `throw`
    }

    package let change: Change
    /// UTF-8 offsets of the text that is changed.
    package let range: Range<Int>
    /// What is inserted before the text and behind it; `#` stands for the mutant's number.
    package let prefix: String
    package let suffix: String

    /// The first line and the last, from 1.
    package let lines: ClosedRange<Int>
    /// The innermost function, initializer or property around the place, and its lines: where the compiler may complain
    /// about a change that it can't take.
    package let function: String
    package let functionLines: ClosedRange<Int>

    /// The text before and after the change, on one line, as a person would read it.
    package let original: String
    package let mutated: String
}

extension MutantSite {
    /// What the site is called within its file, whatever its line: the function and the change.
    package var name: String { "\(function): `\(original)` → `\(mutated)`" }
}
