package import RecordFormat
internal import TraceFiles
package import TraceMedia
package import TraceText

/// The subject of a digest: one session, or several.
package enum DigestSubject: Sendable {
    case session(Digest)
    case practice(CombinedDigest)

    /// What a person's own template makes of it.
    ///
    /// - Parameters:
    ///   - template: In UTF-8.
    ///   - file: What errors call the template.
    /// - Returns: The text, and the names in the template that are none of a value, be it of one session or of several.
    /// - Throws: ``FileError`` with `.invalidData` if it is not UTF-8; ``TemplateError`` with `.templateMalformed`.
    package func rendered(
        by template: [UInt8], file: String, _ form: DigestTemplate.Form
    ) throws -> DigestTemplate.Rendering {
        guard let source = String(validating: template, as: UTF8.self) else {
            throw FileError(.invalidData, "\(file): is not UTF-8", cure: "save the template as UTF-8")
        }
        let rendering = try DigestTemplate(source, file: file, form: form).render(values)
        // A template may serve for one session and for several.
        let known = foreignNames
        return DigestTemplate.Rendering(
            text: rendering.text, unknownNames: rendering.unknownNames.filter { !known.contains($0) })
    }

    private var values: [String: TemplateValue] {
        switch self {
        case .session(let digest): digest.templateValues
        case .practice(let digest): digest.templateValues
        }
    }

    /// Names of values that only the other subject has.
    private var foreignNames: Set<String> {
        switch self {
        case .session(let digest):
            TemplateValue.names(CombinedDigest([.init(digest, path: "")]).templateValues)
        case .practice(let digest):
            TemplateValue.names(digest.sessions.items.first?.digest.templateValues ?? [:])
        }
    }

    /// With the keys of docs/cli-json.md, which name directories.
    package var json: JSONText {
        switch self {
        case .session(let digest): digest.json()
        case .practice(let digest): digest.json()
        }
    }

    /// As Markdown, whose text can't become structure.
    package var markdown: String {
        switch self {
        case .session(let digest): digest.markdown()
        case .practice(let digest): digest.markdown()
        }
    }

    /// As a terminal of so many columns shows it.
    ///
    /// - Parameter waveform: That of a session's review audio, where it is known.
    package func terminal(columns: Int, styled: Bool, waveform: Waveform? = nil) -> TerminalText {
        switch self {
        case .session(let digest):
            digest.terminal(columns: columns, styled: styled, waveform: waveform)
        case .practice(let digest): digest.terminal(columns: columns, styled: styled)
        }
    }
}
