internal import TraceAccess
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles

extension AccessFilter? {
    /// The filter in a column: ids and directories, or `everything`.
    var cell: String {
        guard let self else { return "everything" }
        let parts = (self.sessions + self.journals).map(\.description) + self.roots.map(\.escaped)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    /// As ``cell``, of ids their ends.
    var shortCell: String {
        guard let self else { return "everything" }
        let parts =
            (self.sessions + self.journals).map { String($0.description.suffix(6)) }
            + self.roots.map(\.escaped)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
