/// What a format says about one kind of record: its members, and what each may hold.
///
/// The same declaration checks records, gives the members their places, and says which of them an index keeps.
package struct RecordSchema: Sendable {
    package let kind: EntryKind
    /// The file that holds records of this kind.
    package let fileName: String
    /// Whether the file as a whole is one record, and not each line of it.
    package let isDocument: Bool
    package let fields: StaticList<Field>
    package let columns: RecordColumns
    /// The rule that records are in non-decreasing order of their offsets; nil if they need not.
    package let order: Rule?
    /// Whether what stands for the offset is a moment: it is kept as milliseconds since 1970, and is an offset into nothing.
    let hasMoments: Bool

    /// A member of a record.
    package struct Field: Sendable, BitwiseCopyable {
        package let name: StaticString
        package let type: FieldType
        package let isRequired: Bool

        package static func required(_ name: StaticString, _ type: FieldType) -> Field {
            Field(name: name, type: type, isRequired: true)
        }

        package static func optional(_ name: StaticString, _ type: FieldType) -> Field {
            Field(name: name, type: type, isRequired: false)
        }
    }

    /// What a member may hold. Trivial on purpose: a million lines are checked without counting a reference.
    package enum FieldType: Sendable, BitwiseCopyable {
        case ulid
        case timestamp
        /// An integer ≥ 0.
        case milliseconds
        case number
        /// ``integer(_:)``.
        case wholeNumber(least: Int64, most: Int64)
        case string
        case object
        case tags
        /// A string that begins with `media/`.
        case mediaPath
        /// A number from 0 to 1.
        case confidence
        case word(Vocabulary)
        /// Exactly this text.
        case constant(ConstantText)
        /// `null`, or exactly this text.
        case optionalConstant(ConstantText)
        /// An array of objects with members of their own.
        case items(RecordItems)

        /// A number that is whole, and within these: written without a point or an exponent.
        package static func integer(_ range: ClosedRange<Int64>) -> FieldType {
            .wholeNumber(least: range.lowerBound, most: range.upperBound)
        }
    }

    /// The place of `id`, which every kind of record has and declares first.
    static let idSlot = 0

    package init(
        _ kind: EntryKind, in fileName: String, isDocument: Bool = false, _ fields: StaticList<Field>,
        columns: RecordColumns, order: Rule? = nil
    ) {
        self.kind = kind
        self.fileName = fileName
        self.isDocument = isDocument
        self.fields = fields
        self.columns = columns
        self.order = order
        let offset = Self.slot(columns.offset, in: fields)
        hasMoments = if let offset, case .timestamp = fields[offset].type { true } else { false }
    }

    /// The place of a member in ``fields``.
    package func slot(_ name: StaticString) -> Int {
        guard let slot = slotIfPresent(name) else {
            preconditionFailure("a record of \(fileName) has no member \(name)")
        }
        return slot
    }

    /// The place of a member in ``fields``; nil without a name, or where the record has no such member.
    func slotIfPresent(_ name: StaticString?) -> Int? { Self.slot(name, in: fields) }

    private static func slot(_ name: StaticString?, in fields: StaticList<Field>) -> Int? {
        guard let name else { return nil }
        let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return fields.firstIndex { bytes.equals($0.name) }
    }

    /// The same members, of which no more is asked for than one.
    package func requiring(_ name: StaticString) -> RecordSchema {
        let needed = slot(name)
        let fields = self.fields.enumerated().map { slot, field in
            Field(name: field.name, type: field.type, isRequired: slot == needed)
        }
        return RecordSchema(
            kind, in: fileName, isDocument: isDocument, StaticList(fields), columns: columns, order: order)
    }
}

/// A member that is an array of objects.
package struct RecordItems: Sendable, BitwiseCopyable {
    private struct Declaration: Sendable, BitwiseCopyable {
        let noun: StaticString
        let fields: StaticList<RecordSchema.Field>
    }

    /// One, out of line: what a member may hold is looked at for each member, and is to be small.
    private let declaration: StaticList<Declaration>

    package init(_ noun: StaticString, _ fields: StaticList<RecordSchema.Field>) {
        declaration = [Declaration(noun: noun, fields: fields)]
    }

    /// What a finding calls one of them, before its number.
    var noun: StaticString { declaration[0].noun }
    package var fields: StaticList<RecordSchema.Field> { declaration[0].fields }
}

/// A text that a literal has.
package struct ConstantText: Sendable, BitwiseCopyable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Soundness: the bytes of a literal are in the program itself, live as long as it and are never written.
    private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    /// - Precondition: The literal has more than one Unicode scalar, as it is none of the few that have no bytes.
    package init(stringLiteral text: StaticString) {
        bytes = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    package var description: String { String(decoding: bytes, as: UTF8.self) }

    func isSpelled(by other: UnsafeRawBufferPointer) -> Bool { other.elementsEqual(bytes) }
}

/// The allowed values of a member, in the order of the format.
package struct Vocabulary: Sendable, BitwiseCopyable {
    package let words: StaticList<StaticString>

    package init(words: StaticList<StaticString>) { self.words = words }

    /// Whether these bytes are one of the words.
    func contains(_ bytes: UnsafeRawBufferPointer) -> Bool { words.contains { bytes.equals($0) } }
}
