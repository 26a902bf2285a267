package import RecordFormat
package import TraceFormat
internal import TraceStore

/// How far the run of an action has got.
package enum RunState: String, Sendable, CaseIterable {
    /// It was asked for, and nobody has begun it.
    case requested
    /// It is under way.
    case running
    /// It ended well.
    case succeeded
    /// It ended badly.
    case failed
}

/// A run of an action, or a request for one.
package struct RunAnswer: Sendable {
    package let run: ActionRun
    package let state: RunState
    /// Whether a process runs it.
    package let isLiving: Bool
    /// As it is in the file.
    private let line: [UInt8]

    /// A run as its last line tells of it.
    init(_ found: SessionReader.Found<ActionRun>, isLiving: Bool) {
        run = found.value
        line = found.line
        self.isLiving = isLiving
        state =
            switch found.value.status {
            case .started: isLiving ? .running : .requested
            case .succeeded: .succeeded
            case .failed: .failed
            }
    }

    /// The inputs that the run was asked for with, a JSON object; nil if there are none.
    var inputs: JSONText? { member("inputs") }

    /// What the run gave, a JSON object; nil if it gave nothing.
    var outputs: JSONText? { member("outputs") }

    private func member(_ name: String) -> JSONText? {
        guard let text = try? JSONObjectEditor(line).text(of: name) else { return nil }
        return JSONText(verbatim: JSONText.compacted(Array(text)))
    }

    /// The run with the keys of docs/cli-json.md.
    package var json: JSONText { .object(addMembers) }

    /// The run with what went in and what came out.
    package var wholeJSON: JSONText {
        .object { object in
            addMembers(to: &object)
            object.member("inputs", inputs)
            object.member("outputs", outputs)
        }
    }

    private func addMembers(to object: inout JSONObjectText) {
        object.member("id", JSONText(run.id))
        object.member("action", JSONText(run.action))
        object.member("state", JSONText(state.rawValue))
        object.member("created_at", run.createdAt.map { JSONText($0) })
        object.member("error", run.error.map { JSONText($0) })
    }
}

/// A run that ended well, as the one who waited for it sees it.
package struct EndedRun: Sendable {
    let id: ULID
    package let action: String
    /// A JSON object; nil if it gave nothing.
    let outputs: [UInt8]?

    /// A run that has ended.
    package init(id: ULID, action: String, outputs: [UInt8]?) {
        self.id = id
        self.action = action
        self.outputs = outputs
    }

    /// The run with the keys of docs/cli-json.md.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("action", JSONText(action))
            object.member("status", JSONText(ActionRun.Status.succeeded.rawValue))
            object.member("outputs", outputs.map { JSONText(verbatim: $0) })
        }
    }
}
