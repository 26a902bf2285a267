internal import ArgumentParser
internal import RecordFormat
internal import TraceStore

/// The options of every command about a journal that is no session.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The journal: a directory, an id or a prefix of it, a title.", valueName: "journal"))
    var journal: String?
    @OptionGroup var global: GlobalOptions
}

/// `trace KIND VERB`
struct DeclaredCommand<Kind: VerbGroup, Declaration: DeclaredVerb>: SessionlessCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Declaration.verb.name, abstract: "\(Declaration.verb.abstract).",
            discussion: Declaration.verb.discussion)
    }

    @OptionGroup var arguments: DeclaredArguments<TypedVerb<Declaration>>
    @OptionGroup var options: JournalOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try VerbRun(Declaration.verb, of: Kind.self, arguments.values, options).run()
    }
}

/// `trace KIND VERB` of a verb that needs no journal.
struct PlacelessCommand<Kind: VerbGroup, Declaration: DeclaredVerb>: SessionlessCommand {
    static var configuration: CommandConfiguration { DeclaredCommand<Kind, Declaration>.configuration }

    @OptionGroup var arguments: DeclaredArguments<TypedVerb<Declaration>>
    @OptionGroup var global: GlobalOptions

    func run() throws {
        var options = JournalOptions()
        options.global = global
        try VerbRun(Declaration.verb, of: Kind.self, arguments.values, options).run()
    }
}

/// `trace queue add KIND VERB`
struct DeclaredQueueCommand<Kind: VerbGroup, Declaration: DeclaredVerb>: SessionlessCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Declaration.verb.name, abstract: "\(Declaration.verb.abstract).",
            discussion:
                "The journal need not be here if --journal has its whole id; the entry waits until it is.")
    }

    @OptionGroup var arguments: DeclaredArguments<QueuedVerb<Declaration>>
    @Option(help: "The name of this device.", transform: words)
    var device: String?
    @OptionGroup var options: JournalOptions

    var global: GlobalOptions { options.global }

    func run() throws {
        try VerbRun(Declaration.verb, of: Kind.self, arguments.values, options).queue(device: device)
    }
}
