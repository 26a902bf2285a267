import MutantSites
import Testing

/// Snippets, and what becomes of them.
struct RewritingTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var source: String
        var expected: String
        var changes: [String]
        var testDescription: String { source }

        init(_ source: String, _ expected: String, _ changes: String...) {
            self.source = source
            self.expected = expected
            self.changes = changes
        }
    }

    @Test(arguments: [
        Example(
            "let a = b < c", "let a = (MutantSwitch.isOn(1) ? (b <= c) : (b < c))",
            "comparison: b < c → b <= c"),
        Example(
            "let a = b == nil", "let a = MutantSwitch.turn(1, (b == nil))", "comparison: b == nil → b != nil"),
        Example(
            "if try a() { b() }", "if MutantSwitch.turn(1, (try a())) { b() }",
            "negation: try a() → !(try a())"),
        Example(
            "if !a { b() }", "if MutantSwitch.turn(1, (!a)) { b() }", "negation: !a → a"),
        Example(
            "func f() { if a { return }; b() }",
            "func f() { if MutantSwitch.fail(1, (MutantSwitch.turn(2, (a)))) { return }; b() }",
            "check: a → false", "negation: a → !(a)"),
        Example(
            "func f() { guard a > 0, let b = c else { return } }",
            "func f() { guard MutantSwitch.pass(1, ((MutantSwitch.isOn(2) ? (a >= 0) : (a > 0)))), "
                + "!MutantSwitch.isOn(3), let b = c else { return } }",
            "check: a > 0 → true", "comparison: a > 0 → a >= 0", "binding: let b = c → no match"),
        Example(
            "let x = a && b || c",
            "let x = (!MutantSwitch.isOn(1) && ((MutantSwitch.isOn(2) || (a)) && (MutantSwitch.isOn(3) || (b)))) "
                + "|| (!MutantSwitch.isOn(4) && (c))",
            "operand: a && b || c → c", "operand: a && b → b", "operand: a && b → a",
            "operand: a && b || c → a && b"),
        Example(
            "func f() throws { try file.sync(); fsync(d) }",
            "func f() throws { if !MutantSwitch.isOn(1) { try file.sync() }; (MutantSwitch.isOn(2) ? 0 : fsync(d)) }",
            "sync: try file.sync() → not called", "sync: fsync(d) → 0"),
        Example(
            "func f() throws { if a { throw E() }; b() }",
            "func f() throws { if MutantSwitch.fail(1, (MutantSwitch.turn(2, (a)))) { throw E() }; b() }",
            "check: a → false", "negation: a → !(a)"),
        Example(
            "func f() throws { if let a { a(); throw E() }; b() }",
            "func f() throws { if !MutantSwitch.isOn(1), let a { a(); if !MutantSwitch.isOn(2) { throw E() } }; b() }",
            "binding: let a → no match", "throw: throw E() → not thrown"),
        Example(
            "func f() throws { do { try a() } catch { throw E() }; b() }",
            "func f() throws { do { try a() } catch { if !MutantSwitch.isOn(1) { throw E() } }; b() }",
            "throw: throw E() → not thrown"),
        Example(
            "func f() throws { guard try a() else { return } }",
            "func f() throws { guard MutantSwitch.pass(1, (try a())) else { return } }",
            "check: try a() → true"),
        // A throw behind which nothing could go on, the compiler's own conditions, strings and comments.
        Example("func f() throws -> Int { throw E() }", "func f() throws -> Int { throw E() }"),
        Example(
            "func f() throws { guard let a else { throw E() } }",
            "func f() throws { guard !MutantSwitch.isOn(1), let a else { throw E() } }",
            "binding: let a → no match"),
        Example("#if os(Linux) && DEBUG\nlet a = 1\n#endif", "#if os(Linux) && DEBUG\nlet a = 1\n#endif"),
        Example("let a = \"b == c\" // d == e", "let a = \"b == c\" // d == e"),
        Example(
            "static func == (a: A, b: A) -> Bool { true }", "static func == (a: A, b: A) -> Bool { true }"),
        Example("while true { a() }", "while true { a() }"),
    ])
    func `a switch stands at each place that can be changed`(_ example: Example) {
        let sites = SiteFinder.sites(in: example.source)
        let numbered = sites.enumerated().map { ($0.offset + 1, $0.element) }
        #expect(MutantSite.rewrite(example.source, numbered) == example.expected)
        #expect(sites.map { "\($0.change.rawValue): \($0.original) → \($0.mutated)" } == example.changes)
    }

    @Test func `a change is named by its function, and no line moves`() throws {
        let source = """
            struct S {
                var isEmpty: Bool {
                    // Umlauts: äöü
                    a == b
                        && c
                }
            }
            """
        let sites = SiteFinder.sites(in: source)
        #expect(
            sites.map(\.name) == [
                "isEmpty: `a == b && c` → `c`", "isEmpty: `a == b` → `a != b`",
                "isEmpty: `a == b && c` → `a == b`",
            ])
        #expect(sites.map(\.lines) == [4...4, 4...4, 5...5])
        #expect(sites.allSatisfy { $0.functionLines == 2...6 })
        let text = MutantSite.rewrite(source, [(7, sites[2])])
        #expect(text == source.replacing("&& c", with: "&& (MutantSwitch.isOn(7) || (c))"))
    }

    @Test func `the sample depends on the seed, the name and the kind of change alone`() {
        let rank = Sample.rank("a", .check, seed: 1)
        #expect(rank == Sample.rank("a", .check, seed: 1))
        #expect(rank != Sample.rank("a", .check, seed: 2))
        #expect(rank != Sample.rank("b", .check, seed: 1))
        #expect(rank > Sample.rank("a", .sync, seed: 1))
    }
}
