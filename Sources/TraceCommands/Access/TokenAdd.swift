internal import TraceAccess
internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace token add`
struct TokenAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a token, and show it once.",
        discussion: """
            Scopes: read < mark < admin; feed reads one feed, and waterline delivers one. Without --session, --journal and --root \
            the token shows everything; with them, the sessions and journals that are named and those below the directories.

            A name that a token has is refused; with --replace that token is revoked when the new one is there.
            """)

    @Option(help: "What to call it, such as the device that gets it.", transform: words)
    var name: String
    @Option(help: "Whose it is; you, if not given.", transform: words)
    var person: String?
    @Option(
        help: ArgumentHelp("read, mark, admin, feed or waterline.", valueName: "scope"), completion: .scopes,
        transform: accessScope)
    var scope: AccessScope
    @Option(help: ArgumentHelp("How long it lasts, such as 7d or 12h.", valueName: "duration"))
    var expires: String?
    @Flag(help: "Revoke the token that has this name.")
    var replace = false
    @Flag(help: "Make a link for a guest.")
    var link = false
    @Option(
        name: .customLong("journal"),
        help: ArgumentHelp(
            "Show this journal: its directory, id or title; may be repeated.", valueName: "journal"))
    var journals: [String] = []
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let arguments = try AccessArguments(global)
            let context = arguments.context
            let now = Clock.now()
            let lifetime = try expires.map(Self.lifetime)
            let grant = AccessGrant(
                name: name, person: arguments.person(person), scope: scope,
                filter: try arguments.filter(journals: journals),
                isLink: link)
            let replaced = replace ? try context.tokens.tokens(named: name, at: now) : []
            if !replace {
                try context.tokens.requireUnused(
                    name, cure: "write \(option: "replace") to revoke that one, or give another name")
            }
            let (token, secret) = try context.tokens.add(
                grant, expiresAt: lifetime.map { now.adding(SessionOffset(milliseconds: $0)) }, at: now)
            // Without the secret, which standard error is not for.
            Output.note(done: "the token \(token.id) was added")
            context.note(.tokenAdded, token.id, token.name)
            for old in replaced {
                try context.tokens.revoke(old.id)
                context.note(.tokenRevoked, old.id, old.name)
            }
            show(token, secret, context)
            for old in replaced { context.notice("token \(old.id) of that name was revoked") }
        }
    }

    private func show(_ token: AccessToken, _ secret: TokenSecret, _ context: CommandContext) {
        let address = context.pairingAddress
        let link =
            scope == .feed
            ? address.feed(of: secret) : link ? address.withFragment("g", secret.text) : nil
        if global.json {
            Output.json(
                .object { object in
                    token.addMembers(to: &object)
                    object.member("token", secret.text)
                    object.member("address", link.map { JSONText($0) })
                })
        } else {
            Output.line(link ?? secret.text)
        }
        context.notice("token \(token.id) (\(token.name)); it is not shown again")
        if self.link || scope == .feed {
            context.warnIfUnreachable(address, for: scope == .feed ? "the feed" : "the link")
        }
    }

    /// How long, in milliseconds.
    ///
    /// - Throws: ``CommandFailure`` with `.usage`.
    private static func lifetime(_ text: String) throws -> Int64 {
        guard let duration = readDuration(Array(text.utf8)), duration >= .seconds(1) else {
            throw CommandFailure(
                .usage, "--expires '\(text)' is not a duration of a second or more",
                cure: "write numbers with units (30m, 12h, 7d)")
        }
        return Int64(duration / .milliseconds(1))
    }
}
