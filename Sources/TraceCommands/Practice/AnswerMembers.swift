internal import PracticeJournal
internal import RecordFormat
internal import TraceText

extension Output {
    /// The members of an answer, one a line.
    static func members(of answer: JSONText) throws {
        let lines = try JSONParser().withParsed(answer.bytes) { root in
            root.members.map { key, value in
                let text = value.string ?? value.compactText
                return "\(String(decoding: key, as: UTF8.self)): \(text.oneLine)"
            }
        }
        Output.lines(lines)
    }
}

extension JSONValue {
    /// The value for people: numbers and words as they are, members with their names.
    fileprivate var compactText: String {
        switch kind {
        case .null: "-"
        case .boolean: boolean == true ? "yes" : "no"
        case .integer, .number: DocumentNumber.text(number ?? 0)
        case .string: string ?? ""
        case .array: elements.map { $0.string ?? $0.compactText }.joined(separator: "; ")
        case .object:
            members.map { "\(String(decoding: $0.key, as: UTF8.self)) \($0.value.compactText)" }
                .joined(separator: ", ")
        }
    }
}
