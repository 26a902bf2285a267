import Testing

/// What fish offers, asked of fish itself.
struct FishCompletionTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let script = try scratch.trace("--generate-completion-script", "fish")
        #expect(script.status == 0)
        try scratch.write(script.output, to: "trace.fish")
    }

    /// The words that are offered behind what is typed, with what is shown beside each.
    private func offered(_ lines: String...) throws -> [[String]] {
        let asked = lines.map { "complete -C '\($0)'" }.joined(separator: "; echo next; ")
        let outcome = try scratch.shell(
            "PATH=$(dirname \"$TRACE\"):$PATH fish --no-config -c \"source trace.fish; \(asked)\"")
        #expect(outcome.errors == "" && outcome.status == 0, "\(outcome)")
        return outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .split(separator: "next", omittingEmptySubsequences: false).map { $0.filter { !$0.isEmpty } }
    }

    @Test func `commands come with what they do`() throws {
        let found = try offered("trace mar", "trace session ", "trace -s last --utc markers ")
        #expect(
            found[0].sorted() == [
                "mark\tAdd a marker to a session.", "marker\tChange or remove a marker.",
                "markers\tFind markers.",
            ])
        #expect(found[1].contains { $0.hasPrefix("close\t") } && found[1].contains { $0.hasPrefix("init\t") })
        #expect(
            found[2] == ["list\tList the markers of a session, or of all, in the order of their offsets."])
    }

    @Test func `markers come with time and label, sessions with their start`() throws {
        try scratch.session(
            "monday", title: "Loops",
            markers: marker(10, at: 62_500, #""label":"Too fast","#) + marker(11, at: 5, tags: ["highlight"]))
        scratch.environment["TRACE_TIME_ZONE"] = "UTC"
        let found = try offered(
            "trace marker edit ", "trace marker edit monday \(number(10).prefix(10))", "trace session show m",
            "trace mark --session ")
        #expect(
            found[0] == [
                "last\t0:00.0  highlight", "\(number(11))\t0:00.0  highlight",
                "\(number(10))\t1:02.5  Too fast",
            ])
        #expect(found[1].contains("\(number(10))\t1:02.5  Too fast"))
        #expect(found[2] == ["monday\t2026-02-04 20:00 UTC, active  Loops"])
        #expect(found[3].first == "last\t2026-02-04 20:00 UTC, active")
    }

    @Test func `options come with their values`() throws {
        try scratch.write("", to: "labels.txt")
        let found = try offered(
            "trace markers list --format ", "trace markers list --format=c", "trace markers list --head",
            "trace voice-note --off", "trace import lab", "trace explain marker-v",
            "trace sessions --status a",
            "trace mark -- --", "trace practice journal --filter s")
        #expect(found[0].sorted() == ["csv", "jsonl", "tsv"])
        #expect(found[1] == ["--format=csv"])
        #expect(found[2].map { $0.prefix { $0 != "\t" } } == ["--header"])
        #expect(found[3].map { $0.prefix { $0 != "\t" } } == ["--offset"])
        #expect(found[4].map { $0.prefix { $0 != "\t" } } == ["labels.txt"])
        #expect(found[5].contains("marker-voice-note-missing"))
        #expect(found[6] == ["active"])
        #expect(found[7].isEmpty)
        #expect(found[8].contains("score"))
    }
}
