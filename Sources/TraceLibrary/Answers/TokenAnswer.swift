package import TraceAccess
package import RecordFormat
internal import SystemPackage
internal import TraceFiles

extension AccessGrant {
    /// Adds the members that docs/cli-json.md has of what a token is good for.
    package func addMembers(to object: inout JSONObjectText, _ form: AnswerForm = .commandLine) {
        object.member("name", name.isEmpty ? nil : JSONText(name))
        object.member("person", person)
        object.member("scope", scope.rawValue)
        if let filter {
            object.member("sessions", filter.sessions.map(\.description))
            if !filter.journals.isEmpty { object.member("journals", filter.journals.map(\.description)) }
            if form.showsPaths { object.member("roots", filter.roots.map(\.escaped)) }
        }
        object.member("link", JSONText(isLink))
    }
}

extension AccessToken {
    /// Adds the members that docs/cli-json.md has of a token: all but what could be used as one.
    package func addMembers(to object: inout JSONObjectText, _ form: AnswerForm = .commandLine) {
        object.member("id", JSONText(id))
        grant.addMembers(to: &object, form)
        object.member("created_at", createdAt)
        object.member("expires_at", expiresAt.map { JSONText($0) })
    }

    /// The token as an element of a list.
    ///
    /// - Parameters:
    ///   - use: When it was used last; nil if that is not known.
    ///   - now: By which it may have expired.
    package func json(_ use: TokenUse?, now: Timestamp, _ form: AnswerForm) -> JSONText {
        .object { object in
            addMembers(to: &object, form)
            object.member("expired", JSONText(isExpired(at: now)))
            object.member("last_used_at", use.map { JSONText($0.at) })
            object.member("last_address", use.map { JSONText($0.address) })
        }
    }
}
