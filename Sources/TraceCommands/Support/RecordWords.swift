internal import TraceFormat
internal import TraceStore

/// Reads the id of a record that another is to refer to; an empty one is none.
///
/// - Parameter key: What the format calls the reference.
/// - Throws: ``CommandFailure`` with `.usage`.
func reference(_ text: String?, _ key: String) throws -> ULID? {
    guard let text, !text.isEmpty else { return nil }
    guard let id = ULID(text) else { throw CommandFailure(.usage, "\(key) '\(text)' is not a ULID") }
    return id
}

extension Workplace {
    /// Says what there is to say of an edit.
    func notice(of editing: RecordEditing) {
        for notice in editing.notices { self.notice("warning: \(notice)") }
        if !editing.isChanged { self.notice("nothing was to be changed") }
    }
}
