package import TraceStore

extension EntryName {
    /// The name of an entry as it was typed.
    ///
    /// - Throws: ``LibraryError`` with `.entryNameMalformed`.
    package init(typed text: String) throws(LibraryError) {
        guard let name = EntryName(text) else {
            throw LibraryError(
                .entryNameMalformed, "'\(text)' is not the id of a queue entry",
                hint: "write all 26 characters; 'trace queue list' shows them")
        }
        self = name
    }
}
