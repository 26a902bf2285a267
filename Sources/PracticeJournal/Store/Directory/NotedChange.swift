internal import RecordFormat

/// What the line of a write says of one record: that it came, changed or went.
struct NotedChange {
    enum Kind { case added, changed, removed }

    let kind: Kind
    let array: PracticeArray
    let id: String

    /// Those of a line, with or without the values that were written.
    static func all(in line: [UInt8]) -> [NotedChange] {
        let read = try? JSONParser().withParsed(line) { root in
            root[name: "changes"]?.elements.compactMap { NotedChange($0) }
        }
        return (read ?? nil) ?? []
    }

    private init?(_ entry: JSONValue) {
        guard let array = entry[name: "array"]?.string.flatMap(PracticeArray.init),
            let id = entry[name: "id"]?.string
        else { return nil }
        self.array = array
        self.id = id
        kind =
            entry[name: "added"] != nil
            ? .added : entry[name: "removed"]?.boolean == true ? .removed : .changed
    }

    /// As a line has it once the values are in its log's snapshot.
    var json: JSONText {
        .object { text in
            text.member("array", array.rawValue)
            text.member("id", id)
            switch kind {
            case .added: text.member("added", JSONText(true))
            case .removed: text.member("removed", JSONText(true))
            case .changed: break
            }
        }
    }
}
