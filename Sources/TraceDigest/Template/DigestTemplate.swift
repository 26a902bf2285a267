internal import Mustache
internal import RecordFormat
internal import TraceText

/// A person's own form of a digest, in Mustache.
///
/// What is put in is escaped for the form of the text, so that no label can become structure: for Markdown unless the name
/// of the file or `{{% CONTENT_TYPE:… }}` in it says otherwise. Three braces put a text in as it is.
///
/// Source: mustache(5); docs/digest.md#a-form-of-your-own.
package struct DigestTemplate {
    /// The output format of a template.
    package enum Form: String, CaseIterable {
        case markdown = "MARKDOWN"
        case html = "HTML"
        case text = "TEXT"

        /// The form that a template's name tells: `week.html.mustache` makes HTML.
        package init(fileName: String) {
            var name = fileName.lowercased()
            if name.hasSuffix(".mustache") { name = String(name.dropLast(9)) }
            self =
                name.hasSuffix(".html") || name.hasSuffix(".htm")
                ? .html : name.hasSuffix(".txt") ? .text : .markdown
        }
    }

    /// The rendered text, with warnings.
    package struct Rendering {
        package let text: String
        /// Names in the template that are none of a value.
        package let unknownNames: [String]
    }

    private let template: MustacheTemplate

    /// - Parameter file: The file name in errors.
    /// - Throws: ``TemplateError``, which names the line.
    init(_ source: String, file: String, form: Form) throws(TemplateError) {
        MustacheContentTypes.register(MarkdownContent(), named: Form.markdown.rawValue)
        if let line = Self.lineOfPartial(in: source) {
            throw TemplateError(
                .templateMalformed, "\(file):\(line): a template can't include another one",
                cure: "copy what you need of it into this file")
        }
        do {
            // On a line of its own, which leaves nothing in the text.
            template = try MustacheTemplate(string: "{{% CONTENT_TYPE:\(form.rawValue)}}\n\(source)")
        } catch {
            throw Self.malformed(error, file)
        }
    }

    func render(_ values: [String: TemplateValue]) -> Rendering {
        let scope = Scope(values, isOutermost: true)
        let text = template.render(scope)
        return Rendering(text: text, unknownNames: scope.unknownNames)
    }

    // MARK: - What is wrong with a template

    private static func lineOfPartial(in source: String) -> Int? {
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var rest = line[...]
            while let tag = rest.firstRange(of: "{{") {
                rest = rest[tag.upperBound...]
                if rest.first == ">" || rest.first == "<" { return index + 1 }
            }
        }
        return nil
    }

    private static func malformed(_ error: any Error, _ file: String) -> TemplateError {
        guard let error = error as? MustacheTemplate.ParserError else {
            return TemplateError(.templateMalformed, "\(file): is not a valid template: \(error)")
        }
        // The first line is ours.
        let line = max(1, error.context.lineNumber - 1)
        let (what, cure) = explanation(of: error.error)
        return TemplateError(
            .templateMalformed, "\(file):\(line):\(error.context.columnNumber): \(what)", cure: cure)
    }

    private static func explanation(of error: any Error) -> (String, Cure) {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect:
            ("this ends a section other than the open one", "end '{{#name}}' with '{{/name}}'")
        case .expectedSectionEnd:
            ("a section is still open at the end", "end '{{#name}}' and '{{^name}}' with '{{/name}}'")
        case .invalidSetDelimiter: ("these are not delimiters", "write '{{=<% %>=}}'")
        case .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
            (
                "this setting is unknown",
                "write '{{% CONTENT_TYPE:MARKDOWN}}', '{{% CONTENT_TYPE:HTML}}' or '{{% CONTENT_TYPE:TEXT}}'"
            )
        default: ("a tag is not finished", "end '{{name' with '}}' on the same line")
        }
    }
}

/// Escapes for Markdown.
private struct MarkdownContent: MustacheContentType {
    func escapeText(_ text: String) -> String { MarkdownText.escaped(text) }
}

/// Names and their values, as Mustache asks for them.
private final class Scope: MustacheParent {
    private let values: [String: TemplateValue]
    private let isOutermost: Bool
    /// Names that were asked for in vain; the outermost scope is asked last.
    private(set) var unknownNames: [String] = []

    init(_ values: [String: TemplateValue], isOutermost: Bool = false) {
        self.values = values
        self.isOutermost = isOutermost
    }

    func child(named name: String) -> Any? {
        if let value = values[name] { return Self.shown(value) }
        if isOutermost, !unknownNames.contains(name) { unknownNames.append(name) }
        return nil
    }

    private static func shown(_ value: TemplateValue) -> Any {
        switch value {
        case .text(let text): Words(text)
        case .number(let number): Words(number == 0 ? "" : String(number), shown: String(number))
        case .flag(let flag): flag
        case .list(let values): values.map(shown)
        case .object(let values): Scope(values)
        }
    }
}

/// A text that counts as nothing where it is empty, as in other implementations of Mustache.
private struct Words: MustacheCustomRenderable, MustacheTransformable {
    let renderText: String
    let isNull: Bool

    init(_ text: String, shown: String? = nil) {
        renderText = shown ?? text
        isNull = text.isEmpty
    }

    func transform(_ name: String) -> Any? { renderText.transform(name) }
}
