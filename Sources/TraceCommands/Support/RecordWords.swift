internal import TraceStore

extension CommandContext {
    /// Says what there is to say of an edit.
    func notice(of editing: RecordEditing) {
        for notice in editing.notices { self.notice("warning: \(notice)") }
        if !editing.isChanged { self.notice("nothing to change") }
    }
}
