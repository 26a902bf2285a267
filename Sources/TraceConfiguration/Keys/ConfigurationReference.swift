/// The table of every key, as it stands in `docs/configuration.md`, in Markdown.
package func configurationReference() -> String {
    let rows = TraceKeys.all.map { key in
        "| `\(key.name)` | `\(key.variable)` | \(key.valueText) | \(key.defaultText) | \(key.documentation) |"
    }
    let head = ["| key | environment | value | default | meaning |", "|---|---|---|---|---|"]
    return (head + rows).map { $0 + "\n" }.joined()
}
