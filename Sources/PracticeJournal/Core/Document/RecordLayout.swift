internal import RecordFormat

/// How the records of a document are laid out: the white space around their members and elements, as a neighbour has it.
struct RecordLayout {
    /// Before an element.
    var lead: [UInt8] = []
    /// Behind the last element, before the bracket.
    var tail: [UInt8] = []
    /// Between the brace and the first member, and between a comma and the next one.
    private var first: [UInt8] = []
    private var next: [UInt8] = []
    /// The colon with what is around it.
    private var colon: [UInt8] = [UInt8(ascii: ":")]
    /// Between the last member and the brace.
    private var close: [UInt8] = []

    /// On one line, without white space.
    init() {}

    /// As the record that is at this place of a text; `lead` and `tail` are those of its array.
    init(ofRecord range: Range<Int>, in bytes: [UInt8], lead: [UInt8], tail: [UInt8]) {
        self.lead = lead
        self.tail = tail
        guard let members = try? DocumentOutline.members(of: bytes, in: range), let one = members.first,
            let last = members.last
        else { return }
        first = Array(bytes[range.lowerBound + 1..<one.nameRange.lowerBound])
        colon = Array(bytes[one.nameRange.upperBound..<one.valueRange.lowerBound])
        close = Array(bytes[last.valueRange.upperBound..<range.upperBound - 1])
        next = first
        if members.count > 1 {
            let gap = bytes[one.valueRange.upperBound..<members[1].nameRange.lowerBound]
            next = Array(gap.drop { $0 != UInt8(ascii: ",") }.dropFirst())
        }
    }

    /// For a document without a record, whose members are indented like this.
    init(indentation: [UInt8]) {
        guard indentation.contains(newline) else { return }
        let step = indentation.drop { $0 != newline }.dropFirst()
        lead = indentation + step
        tail = indentation
        first = lead + step
        next = first
        close = lead
        colon = Array(": ".utf8)
    }

    func text(_ members: [RecordMember]) -> [UInt8] {
        var text = [UInt8(ascii: "{")]
        for (index, member) in members.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            text += index == 0 ? first : next
            text += JSONText(member.name).bytes + colon + member.value.bytes
        }
        return text + close + [UInt8(ascii: "}")]
    }
}

private let newline = UInt8(ascii: "\n")
