/// What a value is as JSON, declared once: it writes the value, and describes what it writes.
///
/// ```swift
/// Shape<Row>("Row", "What was done", [
///     .always("id", "its id", \.id),
///     .sometimes("about", "the id of what it is about", \.subject),
/// ])
/// ```
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct Shape<Value>: Sendable {
    /// A member of the object, or several that are alike.
    package struct Row: Sendable {
        fileprivate let declared: [AnswerShape.Member]
        fileprivate let write: Writing
    }

    /// Adds something of a value to the text of an object.
    typealias Writing = @Sendable (Value, inout JSONObjectText) -> Void

    package let description: AnswerShape
    /// All rows, one behind the other: a loop over them would ask for the type of its elements with each value.
    private let write: Writing

    /// - Parameters:
    ///   - name: That of its schema, in upper camel case.
    ///   - summary: What it is, without a full stop.
    package init(_ name: String, _ summary: String, _ rows: [Row]) {
        description = AnswerShape(name, summary, rows.map(\.declared))
        write = Self.chain(rows.map(\.write))
    }

    package func json(_ value: Value) -> JSONText { .object { write(value, &$0) } }

    fileprivate static func chain(_ writings: [Writing]) -> Writing {
        guard let first = writings.first else { return { _, _ in } }
        return writings.dropFirst().reduce(first) { before, next in
            { value, object in
                before(value, &object)
                next(value, &object)
            }
        }
    }
}

/// A part of a value.
package typealias Part<Whole, Value> = @Sendable (Whole) -> Value

extension Shape.Row {
    /// What is always there.
    package static func always<Member: ShapeValue>(
        _ name: String, _ summary: String, _ part: @escaping Part<Value, Member>
    ) -> Self {
        always(summary, [name: part])
    }

    /// Members that are alike and always there.
    package static func always<Member: ShapeValue>(
        _ summary: String, _ parts: KeyValuePairs<String, Part<Value, Member>>
    ) -> Self {
        row(parts, Member.shapeType, summary, .always) { $1.member($0, $2.shapeJSON) }
    }

    /// What is left out where there is nothing to say.
    package static func sometimes<Member: ShapeValue>(
        _ name: String, _ summary: String, _ part: @escaping Part<Value, Member?>
    ) -> Self {
        sometimes(summary, [name: part])
    }

    /// Members that are alike and left out where there is nothing to say.
    package static func sometimes<Member: ShapeValue>(
        _ summary: String, _ parts: KeyValuePairs<String, Part<Value, Member?>>
    ) -> Self {
        row(parts, Member.shapeType, summary, .sometimes) { $1.member($0, $2?.shapeJSON) }
    }

    /// An object that is always there.
    package static func always<Member>(
        _ name: String, _ summary: String, _ shape: Shape<Member>, _ part: @escaping Part<Value, Member>
    ) -> Self {
        always(summary, shape, [name: part])
    }

    /// Objects that are alike and always there.
    package static func always<Member>(
        _ summary: String, _ shape: Shape<Member>, _ parts: KeyValuePairs<String, Part<Value, Member>>
    ) -> Self {
        row(parts, .object(shape.description), summary, .always) { $1.member($0, shape.json($2)) }
    }

    /// Objects that are alike and left out where there is nothing to say.
    package static func sometimes<Member>(
        _ summary: String, _ shape: Shape<Member>, _ parts: KeyValuePairs<String, Part<Value, Member?>>
    ) -> Self {
        row(parts, .object(shape.description), summary, .sometimes) { $1.member($0, $2.map(shape.json)) }
    }

    /// An object that is left out where there is nothing to say.
    package static func sometimes<Member>(
        _ name: String, _ summary: String, _ shape: Shape<Member>, _ part: @escaping Part<Value, Member?>
    ) -> Self {
        sometimes(summary, shape, [name: part])
    }

    /// A list of objects.
    package static func list<Member>(
        _ name: String, _ summary: String, of shape: Shape<Member>, _ part: @escaping Part<Value, [Member]>
    ) -> Self {
        row([name: part], .array(.object(shape.description)), summary, .always) {
            $1.member($0, .array($2.map(shape.json)))
        }
    }

    private static func row<Member>(
        _ parts: KeyValuePairs<String, Part<Value, Member>>, _ type: ShapeType, _ summary: String,
        _ presence: AnswerShape.Presence,
        _ write: @escaping @Sendable (String, inout JSONObjectText, Member) -> Void
    ) -> Self {
        Self(
            declared: parts.map {
                AnswerShape.Member(
                    name: $0.key, type: type, summary: summary, printed: presence, sent: presence)
            },
            write: Shape.chain(
                parts.map { name, part in { value, object in write(name, &object, part(value)) } }))
    }
}

/// What a member of an answer can be without a shape of its own.
package protocol ShapeValue: SendableMetatype {
    static var shapeType: ShapeType { get }
    var shapeJSON: JSONText { get }
}

extension String: ShapeValue {
    package static var shapeType: ShapeType { .string }
    package var shapeJSON: JSONText { JSONText(self) }
}

extension Int: ShapeValue {
    package static var shapeType: ShapeType { .integer }
    package var shapeJSON: JSONText { JSONText(Int64(self)) }
}

extension Double: ShapeValue {
    package static var shapeType: ShapeType { .number }
    package var shapeJSON: JSONText { JSONText(self) }
}

extension Bool: ShapeValue {
    package static var shapeType: ShapeType { .boolean }
    package var shapeJSON: JSONText { JSONText(self) }
}

extension Timestamp: ShapeValue {
    package static var shapeType: ShapeType { .time }
    package var shapeJSON: JSONText { JSONText(self) }
}

extension Array: ShapeValue where Element: ShapeValue {
    package static var shapeType: ShapeType { .array(Element.shapeType) }
    package var shapeJSON: JSONText { .array(lazy.map(\.shapeJSON)) }
}
