package import RecordFormat
internal import TraceText

/// The line that begins a run of an action, or asks a computer for one: an action record with the status `started`.
///
/// Source: docs/actions.md#requests.
package struct ActionRequest: Sendable, Hashable {
    /// The id of the run; its end has it too.
    package let id: ULID
    /// Which action.
    let action: String
    /// One JSON object without line breaks, or nil if there are no inputs.
    let inputs: [UInt8]?
    /// When it was asked for.
    package let createdAt: Timestamp

    /// A request.
    ///
    /// - Parameter inputs: A JSON object; white space between its tokens is taken out.
    /// - Throws: ``FormatError`` with `.recordInvalid` for an action without a name, `.jsonMalformed` if the inputs are not
    ///   one JSON object.
    package init(id: ULID, action: String, inputs: [UInt8]?, createdAt: Timestamp) throws(FormatError) {
        guard !action.isEmpty else {
            throw FormatError(
                .recordInvalid, "the action has no name", cure: "give the name of a file in actions/")
        }
        if let inputs {
            do throws(FormatError) { _ = try JSONObjectEditor(inputs) } catch {
                throw FormatError(
                    error.code, "the inputs are not one JSON object: \(error.message)",
                    cure: "write an object such as {\"tag\": \"highlight\"}")
            }
        }
        self.id = id
        self.action = action
        self.inputs = inputs.map(JSONText.compacted)
        self.createdAt = createdAt
    }

    /// The record as one JSON text.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("action", JSONText(action))
            object.member("created_at", JSONText(createdAt))
            object.member("status", JSONText(ActionRun.Status.started.rawValue))
            object.member("inputs", inputs.map { JSONText(verbatim: $0) })
        }
    }
}
