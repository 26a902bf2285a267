package import TraceStore
internal import TraceText

extension EntryName {
    /// The name of an entry as it was typed.
    ///
    /// - Throws: ``LibraryError`` with `.entryNameMalformed`.
    package init(typed text: String) throws(LibraryError) {
        guard let name = EntryName(text) else {
            throw LibraryError(
                .entryNameMalformed, "'\(text)' is not the id of a queue entry",
                cure: [
                    .atMachine("write all 26 characters"), "\(verb: "queue list") shows them",
                    "send the 26 characters of its id; \(route: "GET /api/v1/queue") lists the entries",
                ])
        }
        self = name
    }
}
