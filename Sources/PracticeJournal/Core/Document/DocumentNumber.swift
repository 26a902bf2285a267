internal import RecordFormat

/// A number as it is written into a document.
///
/// Source: docs/spec/practice.md#what-stays-as-it-is.
struct DocumentNumber: ShapeValue {
    private let number: Double

    init(_ number: Double) { self.number = number }

    package static let shapeType = ShapeType.number
    package var shapeJSON: JSONText { Self.json(number) }

    /// Without a fraction if the number is whole, else the shortest text that is read as the same number.
    static func text(_ number: Double) -> String {
        Int64(exactly: number).map { String($0) } ?? number.description
    }

    static func json(_ number: Double) -> JSONText {
        number.isFinite ? JSONText(verbatim: text(number).utf8) : .null
    }

    static func json(_ number: Int) -> JSONText { JSONText(Int64(number)) }
}

extension Double {
    /// As a document has it.
    var asWritten: DocumentNumber { DocumentNumber(self) }
}
