internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// How what a token is good for is shown.
extension AccessGrant {
    /// Adds the members of `--json`.
    func show(in object: inout JSONObjectText) {
        object.member("name", name.isEmpty ? nil : JSONText(name))
        object.member("person", person)
        object.member("scope", scope.rawValue)
        if let filter {
            object.member("sessions", filter.sessions.map(\.description))
            object.member("roots", filter.roots.map(\.escaped))
        }
        object.member("link", JSONText(isLink))
    }
}

extension AccessToken {
    /// Adds the members of `--json`.
    func show(in object: inout JSONObjectText) {
        object.member("id", JSONText(id))
        grant.show(in: &object)
        object.member("created_at", createdAt)
        object.member("expires_at", expiresAt.map { JSONText($0) })
    }
}

extension AccessFilter? {
    /// The filter in a column: ids and directories, or `everything`.
    var cell: String {
        guard let self else { return "everything" }
        let parts = self.sessions.map(\.description) + self.roots.map(\.escaped)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }

    /// As ``cell``, of ids their ends.
    var shortCell: String {
        guard let self else { return "everything" }
        let parts = self.sessions.map { String($0.description.suffix(6)) } + self.roots.map(\.escaped)
        return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
    }
}
