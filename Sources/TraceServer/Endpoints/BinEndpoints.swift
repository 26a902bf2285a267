internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// What deletes sessions, and brings them back.
enum BinEndpoints {
    static let all = [delete, list, restore]

    private static let delete = Endpoint(
        method: .delete, path: "/sessions/{s}", id: "deleteSession", access: .scope(.admin),
        summary: "Moves a session with its recordings to the bin",
        answers: [.json(.component("DeletedSession"), "It is in the bin")], work: .writing
    ) { call in
        let session = try call.session()
        let deleted = try call.context.writer().delete(session.target())
        return .json(deleted.json(call.form(session.index)))
    }

    private static let list = Endpoint(
        method: .get, path: "/bin", id: "listBin", access: .unfiltered(.admin),
        summary: "The deleted sessions, the last one first",
        answers: [.json(.array(of: "DeletedSession"), "Those that are in the bin")], work: .asking
    ) { call in
        let form = try call.form(call.context.library().openIndex())
        return .json(.array(call.context.writer().bin.items().map { $0.json(form) }))
    }

    private static let restore = Endpoint(
        method: .post, path: "/bin/{id}/restore", id: "restoreSession", access: .unfiltered(.admin),
        summary: "Brings a deleted session back, by its id",
        answers: [.json(.component("RestoredSession"), "It is where it was, or beside that")],
        work: .writing
    ) { call in
        let library = try call.context.library()
        let index = try library.openIndex()
        let writer = call.context.writer()
        let restored = try writer.restore(writer.deleted(try call.id("id")))
        _ = try index.reconcile(
            journal: restored.path, in: call.context.roots.root(of: restored.path),
            settleTime: library.settleTime)
        return .json(restored.json(call.form(index)))
    }
}
