internal import ArgumentParser
internal import SystemPackage
internal import TraceDigest
internal import TraceFiles
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
    /// - Throws: ``FileError`` with `.notFound`; ``TemplateError`` with `.templateMalformed`.
    func render(_ subject: DigestSubject, _ context: CommandContext) throws -> String? {
        guard let template else { return nil }
        let bytes = try context.contents(ofFile: template, limit: 1 << 20)
        let name = template == "-" ? "standard input" : FilePath(argument: template).escaped
        let form = DigestTemplate.Form(fileName: template)
        let rendering = try subject.rendered(by: bytes, file: name, form)
        for unknown in rendering.unknownNames {
            context.notice(
                "warning: \(name): '\(unknown.oneLine)' is not a known value, so it is left empty")
        }
        return rendering.text
    }
}
