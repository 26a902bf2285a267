internal import TraceFormat

extension CombinedDigest {
    /// The digest as Markdown, with a newline at the end; as ``Digest/markdown()``.
    package func markdown() -> String {
        if sessions.total == 0 { return "# Practice\n\nNo sessions.\n" }
        var lines = ["# \(heading.markdown)", facts.joined(separator: " · "), ""]
        lines.append(counts.map { "\($0.name) \($0.count)" }.joined(separator: " · "))
        lines += ["", "```text"] + dayRows(columns: 80) + ["```"]
        lines += ["", "## Sessions"]
        if sessions.more > 0 { lines.append("- +\(sessions.more) earlier") }
        for entry in sessions.items {
            let digest = entry.digest
            let facts = (digest.facts + [entry.countWords]).joined(separator: " · ")
            lines.append("- **\(digest.heading.markdown)** — \(facts)")
            lines += entry.moments.map { "  - \(Digest.line(for: $0))" }
        }
        lines += Digest.section("To fix", fixes) {
            "- [ ] \(Digest.line(for: $0.moment, omitting: .fix)) — \($0.session.digest.heading.markdown)"
        }
        lines += Digest.section("Actions", actions) {
            "\($0.session.digest.line(for: $0.action)) — \($0.session.digest.heading.markdown)"
        }
        lines += Digest.section("Problems", problems) {
            "- **\($0.digest.heading.markdown)** \($0.digest.problemCounts)"
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
