/// The table of every key, as it is in `docs/configuration.md`, in Markdown.
package func configurationReference() -> String {
    let rows = TraceKeys.all.map { key in
        "| `\(key.name)` | `\(key.variable)` | \(key.valueText) | \(key.defaultText) | \(key.documentation) |"
    }
    let head = ["| key | environment | value | default | meaning |", "|---|---|---|---|---|"]
    return (head + rows).map { $0 + "\n" }.joined()
}

/// A configuration file in which every key is explained, in YAML: `systemd/config.yaml`, which packages install.
///
/// - Parameter active: The keys that are set in it; all others are comments.
package func configurationExample(active: Set<String>) -> String {
    let head = """
        # The configuration of trace and traced on this machine; 'trace config show' shows what is in effect.
        #
        # Every key is optional. A user's ~/.config/trace/config.yaml takes precedence, TRACE_... variables over
        # that, and flags over everything. 'trace config check' reports what is wrong with it, and
        # 'systemctl reload traced' makes the daemon read it again.

        """
    return head
        + TraceKeys.all.map { key in
            let mark = active.contains(key.name) ? "" : "#"
            let texts = key.exampleTexts
            let plain = { (text: String) in text.replacing("`", with: "") }
            let value =
                key.isList
                ? "\(mark)\(key.name):\n" + texts.map { "\(mark)  - \($0)\n" }.joined()
                : "\(mark)\(key.name): \(texts.first.map(yamlScalar) ?? "")\n"
            let note = "# (\(plain(key.valueText)); default: \(plain(key.defaultText)))\n"
            return "\n# \(plain(key.documentation))\n\(note)\(value)"
        }.joined()
}

/// A text as YAML reads it back: in quotes where it holds what YAML would take for something else.
private func yamlScalar(_ text: String) -> String {
    text.contains { "{}[]#:&*!|>'\"%@`".contains($0) } ? "'" + text.replacing("'", with: "''") + "'" : text
}
