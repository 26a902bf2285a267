internal import HTTPTypes
internal import RecordFormat
internal import TraceText

extension Call {
    /// Requires `If-Match` with the tag of a version: a change is of what the client has read.
    ///
    /// - Throws: ``Problem`` with 428 without it, 400 if it names every version.
    func requireCondition() throws(Problem) {
        guard fields.contains(.ifMatch) else { throw Problem.conditionNeeded }
        guard fields[.ifMatch] != "*" else {
            throw Problem(
                .badRequest, "condition-too-wide", "If-Match is '*', which matches every version",
                cure: "send the ETag of the version that you have read")
        }
    }

    /// Compares a line with `If-Match`.
    ///
    /// - Throws: ``Problem`` with 412, with the line as it is now.
    func requireMatch(_ line: [UInt8]) throws {
        let present = Representation(
            size: Int64(line.count), tag: EntityTag(contents: line), modified: nil, hasRested: true)
        guard
            ConditionalRequest(method, fields).answer(
                for: present, now: HTTPDate(milliseconds: now.milliseconds)) == .whole
        else {
            throw Problem(
                .preconditionFailed, "changed-meanwhile", "it has changed since it was read",
                cure: "read it again, and decide", present: line)
        }
    }
}

extension Outcome {
    /// `If-Match` names another version.
    static let notMatched = problem("It does not match If-Match", status: 412)
    /// There is no `If-Match`, without which nothing is changed.
    static let conditionMissing = problem("If-Match is missing", status: 428)
}
