internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceDigest
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Options of commands that render a digest by a template.
struct TemplateOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A Mustache template of your own; docs/digest.md lists the values.", valueName: "file"),
        completion: .file())
    var template: String?

    func validate() throws {
        if template?.isEmpty == true { throw ValidationError("--template needs a file") }
    }

    /// What the template makes of these values; nil if none is asked for.
    ///
    /// - Throws: ``FileError`` with `.notFound`; ``FormatError`` with `.templateMalformed`.
    func render(_ subject: DigestSubject, _ context: CommandContext) throws -> String? {
        guard let template else { return nil }
        let bytes = try context.contents(ofFile: template, limit: 1 << 20)
        let name = template == "-" ? "standard input" : FilePath(argument: template).escaped
        guard let source = String(validating: bytes, as: UTF8.self) else {
            throw FileError(.invalidData, "\(name): is not UTF-8", hint: "save the template as UTF-8")
        }
        let form = DigestTemplate.Form(fileName: template)
        let rendering = try DigestTemplate(source, file: name, form: form).render(subject.values)
        // A template may serve for one session and for several.
        let known = subject.foreignNames
        for unknown in rendering.unknownNames where !known.contains(unknown) {
            context.notice(
                "warning: \(name): '\(unknown.oneLine)' is not a known value, so it is left empty")
        }
        return rendering.text
    }
}

/// The subject of a digest: one session, or several.
enum DigestSubject {
    case session(Digest)
    case practice(PracticeDigest)

    var values: [String: TemplateValue] {
        switch self {
        case .session(let digest): digest.templateValues
        case .practice(let digest): digest.templateValues
        }
    }

    /// Names of values that only the other subject has.
    var foreignNames: Set<String> {
        switch self {
        case .session(let digest):
            TemplateValue.names(PracticeDigest([.init(digest, path: "")]).templateValues)
        case .practice(let digest):
            TemplateValue.names(digest.sessions.items.first?.digest.templateValues ?? [:])
        }
    }

    var json: JSONText {
        switch self {
        case .session(let digest): digest.json()
        case .practice(let digest): digest.json()
        }
    }

    var markdown: String {
        switch self {
        case .session(let digest): digest.markdown()
        case .practice(let digest): digest.markdown()
        }
    }

    func terminal(columns: Int, styled: Bool) -> TerminalText {
        switch self {
        case .session(let digest): digest.terminal(columns: columns, styled: styled)
        case .practice(let digest): digest.terminal(columns: columns, styled: styled)
        }
    }
}
