internal import ArgumentParser
internal import Journals
internal import TraceStore

/// `trace KIND …`, and what is below a further name of it.
struct DeclaredGroup<Kind: VerbGroup, Group: VerbGroup>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Group.name, abstract: "\(Group.abstract).", discussion: Group.discussion,
            subcommands: Group.members.map { KindCommands<Kind>.command($0) })
    }
}

/// `trace queue add KIND …`
struct DeclaredQueueGroup<Kind: VerbGroup>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Kind.name, abstract: "Queue a write into a \(Kind.name) journal.",
            subcommands: KindCommands<Kind>.queued(Kind.members))
    }
}

/// The commands of a kind of journal, as types: the parser tells commands apart by theirs.
enum KindCommands<Kind: VerbGroup> {
    static func command(_ member: VerbGroupMember) -> any ParsableCommand.Type {
        switch member {
        case .verb(let declaration): command(of: declaration)
        case .group(let group): self.group(group)
        }
    }

    private static func command<Declaration: DeclaredVerb>(
        of _: Declaration.Type
    ) -> any ParsableCommand.Type {
        if case .nowhere = Declaration.verb.place { return PlacelessCommand<Kind, Declaration>.self }
        return DeclaredCommand<Kind, Declaration>.self
    }

    private static func group<Group: VerbGroup>(_: Group.Type) -> any ParsableCommand.Type {
        DeclaredGroup<Kind, Group>.self
    }

    static func queued(_ members: [VerbGroupMember]) -> [any ParsableCommand.Type] {
        members.flatMap { member -> [any ParsableCommand.Type] in
            switch member {
            case .verb(let declaration): declaration.verb.isQueued ? [queued(declaration)] : []
            case .group(let group): queued(group.members)
            }
        }
    }

    private static func queued<Declaration: DeclaredVerb>(
        _: Declaration.Type
    ) -> any ParsableCommand.Type {
        DeclaredQueueCommand<Kind, Declaration>.self
    }
}

/// The commands of all kinds that have some.
enum AllKindCommands {
    private static let kinds = Journals.all.formats.compactMap(\.verbs)

    /// With the heading of each in the list of commands.
    static let groups: [(title: String, command: any ParsableCommand.Type)] = kinds.map { kind in
        func group<Kind: VerbGroup>(_: Kind.Type) -> any ParsableCommand.Type {
            DeclaredGroup<Kind, Kind>.self
        }
        return (kind.title, group(kind))
    }

    /// Below `trace queue add`.
    static let queueGroups: [any ParsableCommand.Type] = kinds.map { kind in
        func group<Kind: VerbGroup>(_: Kind.Type) -> any ParsableCommand.Type {
            DeclaredQueueGroup<Kind>.self
        }
        return group(kind)
    }

    /// What is typed behind `trace`, for the manual.
    static var examples: [(name: String, lines: [String])] {
        kinds.flatMap { kind in
            kind.otherExamples.map { (name: $0.command, lines: $0.lines) }
                + examples(of: kind.members, below: kind.name, queuedBelow: "queue add \(kind.name)")
        }
    }

    private static func examples(
        of members: [VerbGroupMember], below name: String, queuedBelow queue: String
    ) -> [(name: String, lines: [String])] {
        members.flatMap { member -> [(name: String, lines: [String])] in
            switch member {
            case .group(let group):
                return examples(of: group.members, below: "\(name) \(group.name)", queuedBelow: queue)
            case .verb(let declaration):
                let verb = declaration.verb
                return ([name] + (verb.isQueued ? [queue] : [])).map { group in
                    let command = "\(group) \(verb.name)"
                    return (command, verb.examples.map { $0.isEmpty ? command : "\(command) \($0)" })
                }
            }
        }
    }
}
