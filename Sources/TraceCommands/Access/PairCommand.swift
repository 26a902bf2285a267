internal import TraceAccess
internal import ArgumentParser
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceText

/// `trace pair`
struct PairCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair", abstract: "Give a phone or a browser access, by a code or a QR code.",
        discussion: """
            The device gets a token of its own for the code, which is good for one use within five minutes. --session and --root \
            limit what it sees, as for 'trace token add'.

            On an iPhone, put the page on the home screen first and type the code there: a QR code opens Safari, which shares \
            nothing with the page on the home screen.
            """)

    @Option(
        help: ArgumentHelp("read, mark or admin.", valueName: "scope"), completion: .scopes,
        transform: accessScope)
    var scope = AccessScope.mark
    @Option(help: "What to call the device; its own name, if not given.", transform: words)
    var name: String?
    @Option(help: "Whose it is; you, if not given.", transform: words)
    var person: String?
    @Option(
        name: .customLong("journal"),
        help: ArgumentHelp(
            "Show this journal: its directory, id or title; may be repeated.", valueName: "journal"))
    var journals: [String] = []
    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            guard AccessScope.admin.allows(scope) else {
                throw CommandFailure(
                    .usage, "--scope \(scope.rawValue) can't be paired with a device",
                    cure: "make a token: trace token add --name NAME --scope \(scope.rawValue)")
            }
            let arguments = try AccessArguments(global)
            let context = arguments.context
            let grant = AccessGrant(
                name: name ?? "", person: arguments.person(person), scope: scope,
                filter: try arguments.filter(journals: journals))
            let begun = try PairingCodes(state: context.settings.stateDirectory).begin(grant)
            Output.note(done: "a pairing was begun")
            context.note(.pairingBegun, nil, name)
            let address = context.pairingAddress
            let link = address.withFragment("p", begun.secret.text)
            if global.json {
                Output.json(Self.json(begun, link))
            } else {
                try show(begun, link, context)
            }
            context.warnIfUnreachable(address, for: "the device")
        }
    }

    private func show(_ begun: PairingCodes.Begun, _ link: String?, _ context: CommandContext) throws {
        if let link, Output.isTerminal {
            do { Output.raw(try QRCode.drawing(of: link), as: nil) } catch {
                context.notice("there is no QR code: \(error)")
            }
        }
        Output.line("code: \(begun.code.text)")
        if let link { Output.line("address: \(link)") }
        let end =
            Output.isTerminal
            ? try context.zone.minuteText(begun.pairing.expiresAt) : "\(begun.pairing.expiresAt)"
        Output.line("good for one use until: \(end)")
    }

    private static func json(_ begun: PairingCodes.Begun, _ link: String?) -> JSONText {
        .object { object in
            object.member("id", JSONText(begun.pairing.id))
            begun.pairing.grant.addMembers(to: &object)
            object.member("code", begun.code.text)
            object.member("secret", begun.secret.text)
            object.member("address", link.map { JSONText($0) })
            object.member("expires_at", begun.pairing.expiresAt)
        }
    }
}
