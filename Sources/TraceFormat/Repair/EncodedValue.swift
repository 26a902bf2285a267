internal import RecordFormat

/// A time or an id as it is written in a record or in `session.json`.
struct EncodedValue {
    /// The member that holds it.
    let key: String
    /// Which media item of `session.json` it belongs to, from 1; 0 for none.
    let mediaItem: Int
    /// Its bytes, quotes included, in the text that was read.
    let range: Range<Int>
    let text: String
    let subject: Subject

    enum Subject: Equatable {
        case time
        case id(of: IDCensus.Owner)
        /// It names something.
        case reference(to: IDCensus.Owner)
    }

    /// The id, in any case.
    var id: ULID? {
        guard subject != .time else { return nil }
        // By bytes: no other character than a letter of ASCII is the lower case of one.
        let upper = text.utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 0x20 : $0 }
        return upper.withUnsafeBytes { ULID(bytes: $0) }
    }

    /// The canonical form; nil if it already has that form, or if the intended value is unknown.
    func replacement(knowing ids: IDCensus) -> String? {
        switch subject {
        case .time:
            return Timestamp(text) == nil ? Timestamp.spelledInUTC(text) : nil
        case .id(of: let owner), .reference(to: let owner):
            guard ULID(text) == nil, let id, ids.owner(of: id) == owner else { return nil }
            return id.description
        }
    }

    /// The times and ids of a record, in their order; none of what is not a JSON object.
    ///
    /// - Parameter start: Where `text` is in what is read, for the ranges.
    static func all(
        in text: UnsafeRawBufferPointer, of kind: RecordKind, startingAt start: Int
    ) -> [EncodedValue] {
        var values: [EncodedValue] = []
        let owner: IDCensus.Owner = kind == .session ? .session : .record(kind)
        add(text, RecordSchema.of(kind).fields, owner, 0, start, &values)
        return values
    }

    private static func add(
        _ text: UnsafeRawBufferPointer, _ fields: StaticList<RecordSchema.Field>,
        _ owner: IDCensus.Owner, _ item: Int, _ start: Int, _ values: inout [EncodedValue]
    ) {
        for member in (try? JSONScanner.members(of: text)) ?? [] {
            guard
                let field = fields.first(where: {
                    "\($0.name)".utf8.elementsEqual(member.name.utf8)
                })
            else { continue }
            let bytes = UnsafeRawBufferPointer(rebasing: text[member.valueRange])
            if case .items(let items) = field.type {
                addItems(bytes, items, start + member.valueRange.lowerBound, &values)
            } else if let subject = subject(of: field, owner), bytes.first == UInt8(ascii: "\"") {
                let range =
                    (start + member.valueRange.lowerBound)..<(start + member.valueRange.upperBound)
                values.append(
                    EncodedValue(
                        key: member.name, mediaItem: item, range: range, text: JSONText.unescaped(bytes),
                        subject: subject))
            }
        }
    }

    private static func addItems(
        _ text: UnsafeRawBufferPointer, _ items: RecordItems, _ start: Int, _ values: inout [EncodedValue]
    ) {
        for (index, range) in ((try? JSONScanner.elements(of: text)) ?? []).enumerated() {
            let element = UnsafeRawBufferPointer(rebasing: text[range])
            add(element, items.fields, .mediaItem, index + 1, start + range.lowerBound, &values)
        }
    }

    private static func subject(of field: RecordSchema.Field, _ owner: IDCensus.Owner) -> Subject? {
        switch field.type {
        case .timestamp: .time
        case .ulid:
            switch "\(field.name)" {
            case "voice_note_id": .reference(to: .record(.voiceNote))
            case "marker_id": .reference(to: .record(.marker))
            default: .id(of: owner)
            }
        default: nil
        }
    }
}
