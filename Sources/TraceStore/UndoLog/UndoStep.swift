internal import TraceFiles

/// One step of an undo: what it does, in words, and how.
package struct UndoStep {
    /// What a person is shown: as done, or as a plan.
    package struct Action {
        package enum Verb: String {
            case move, remove, restore, set
        }

        let verb: Verb
        let object: String

        package init(_ verb: Verb, _ object: String) {
            self.verb = verb
            self.object = object
        }

        func text(isPlan: Bool) -> String {
            let past =
                switch verb {
                case .move: "moved"
                case .remove: "removed"
                case .restore: "restored"
                case .set: "set"
                }
            return "\(isPlan ? verb.rawValue : past) \(object)"
        }
    }

    /// Empty if a person need not know.
    let actions: [Action]
    let perform: () throws -> [String]

    package init(_ actions: [Action], _ perform: @escaping () throws -> [String]) {
        self.actions = actions
        self.perform = perform
    }

    package init(_ verb: Action.Verb, _ object: String, _ perform: @escaping () throws -> [String]) {
        self.init([Action(verb, object)], perform)
    }
}
