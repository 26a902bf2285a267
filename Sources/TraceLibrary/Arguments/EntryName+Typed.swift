internal import RecordFormat
internal import TraceFiles
package import TraceStore
internal import TraceText

extension EntryName {
    /// The name of an entry as it was typed: its id, its file's name, or a beginning or an end of the id that no other entry has.
    ///
    /// - Throws: ``LibraryError`` with `.entryNameMalformed`; ``StoreError`` with `.noSuchEntry` or `.ambiguousEntry`; ``FileError``.
    /// - Complexity: O(1) for a whole id, else O(entries that wait or are kept).
    package init(typed text: String, in queue: QueueDirectories) throws {
        guard EntryName(text) == nil, let part = RecordName.part(ofID: text) else {
            try self.init(typed: text)
            return
        }
        let found = try queue.entries { id in
            id.description.hasPrefix(part) || id.description.hasSuffix(part)
        }
        guard let first = found.min() else {
            throw StoreError(
                .noSuchEntry, "no queue entry has an id that begins or ends with '\(text)'",
                cure: "\(verb: "queue list") shows them")
        }
        guard found.count == 1 else {
            throw StoreError(
                .ambiguousEntry,
                "'\(text)' names \(counted(found.count, "queue entry", "queue entries")): "
                    + found.sorted().prefix(5).map(\.description).joined(separator: ", ")
                    + (found.count > 5 ? ", …" : ""),
                cure: "write more of the id")
        }
        self.init(first)
    }

    /// The name of an entry as it was sent.
    ///
    /// - Throws: ``LibraryError`` with `.entryNameMalformed`.
    package init(typed text: String) throws(LibraryError) {
        guard let name = EntryName(text) else {
            throw LibraryError(
                .entryNameMalformed, "'\(text)' is not the id of a queue entry",
                cure: [
                    .atMachine(
                        "write its 26 characters, or \(RecordName.shortestPart) or more from its beginning or end"
                    ),
                    "\(verb: "queue list") shows them",
                    "send the 26 characters of its id; \(route: "GET /api/v1/queue") lists the entries",
                ])
        }
        self = name
    }
}
