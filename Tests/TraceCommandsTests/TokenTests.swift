import Foundation
import Testing

struct TokenTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("late", id: 1, title: "Late")
        try scratch.closedSession("early", id: 2, title: "Early")
    }

    private func add(_ name: String, _ more: String...) throws -> Outcome {
        try scratch.trace(["token", "add", "--name", name, "--scope", "mark", "--person", "ann"] + more)
    }

    /// The one line in a pipe of each token, without its id.
    private func list() throws -> [String] {
        let outcome = try scratch.trace("token", "list")
        #expect(outcome.status == 0)
        return outcome.output.split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).dropFirst().joined(separator: "|")
        }
    }

    private func files() throws -> [String] {
        try scratch.names(in: "state/access").filter { $0.hasSuffix(".json") }
    }

    // MARK: - Adding

    @Test func `a token is shown once, and kept as a hash`() throws {
        let outcome = try add("phone")
        #expect(outcome.output.wholeMatch(of: #/trace_[0-9a-hjkmnp-tv-z]{38}\n/#) != nil, "\(outcome)")
        #expect(outcome.errors == "token <ulid> (phone); it is not shown again\n")
        #expect(outcome.status == 0)
        let secret = outcome.output.dropFirst(6).prefix(32)
        let tree = try scratch.tree("state")
        #expect(tree.count == 2 + 1)
        for (name, contents) in tree {
            #expect(!String(decoding: contents, as: UTF8.self).contains(secret), "\(name)")
        }
        #expect(try !scratch.trace("token", "list", "--json").output.contains(secret))
        #expect(try !scratch.trace("token", "log", "--json").output.contains(secret))
    }

    @Test func `a name that a token has is refused, unless it replaces that token`() throws {
        let first = try add("phone")
        let taken = try add("phone")
        #expect(taken.status == 73 && taken.output == "", "\(taken)")
        #expect(
            taken.errors.hasPrefix(
                "error: a token is named 'phone' already: <ulid> [token-name-taken]\n  hint: "))
        #expect(try add("laptop").status == 0)
        #expect(try scratch.trace("token", "rename", "laptop", "phone").status == 73)
        #expect(try scratch.trace("token", "rename", "laptop", "laptop").status == 0)
        let second = try add("phone", "--replace")
        #expect(second.status == 0 && second.output != first.output)
        #expect(second.errors.hasSuffix("\ntoken <ulid> of that name was revoked\n"), "\(second)")
        #expect(try files().count == 2)
        #expect(
            try scratch.trace("token", "log").output.matches(of: #/\ttoken-(added|revoked)\t/#).map(
                \.output.1) == [
                    "added", "added", "added", "revoked",
                ])
    }

    @Test func `without --person it is that of the user`() throws {
        _ = try scratch.trace("token", "add", "--name", "phone", "--scope", "read")
        let user = try scratch.run("/usr/bin/id", ["-un"]).output.dropLast()
        #expect(try list() == ["phone|\(user)|read|everything|<now>|||"])
    }

    @Test func `--session and --root say what it shows, each as often as wanted`() throws {
        let outcome = try add(
            "guest", "--session", "late", "--session", number(7), "--root", "sessions", "--expires", "7d",
            "--link", "--json")
        #expect(outcome.status == 0, "\(outcome)")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(json["sessions"] as? [String] == [number(1), number(7)])
        #expect(json["roots"] as? [String] == ["<scratch>/sessions"])
        #expect(json["link"] as? Bool == true)
        #expect((json["expires_at"] as? String)?.hasSuffix("Z") == true)
        let line = try #require(try list().first)
        #expect(
            line.hasPrefix("guest|ann|mark|\(number(1)), \(number(7)), <scratch>/sessions|<now>|"), "\(line)")
        #expect(outcome.errors.contains("warning: the configuration names no address of the HTTP API"))
    }

    @Test func `options before the verb count too, so that no filter is lost`() throws {
        let outcome = try scratch.trace(
            "--session", "late", "--json", "token", "add", "--name", "x", "--scope", "read", "--session",
            "early")
        #expect(outcome.output.contains("\"sessions\":[\"\(number(1))\",\"\(number(2))\"]"), "\(outcome)")
        // What other commands use is no filter.
        let other = try scratch.trace(
            ["token", "add", "--name", "y", "--scope", "read", "--json"],
            environment: ["TRACE_SESSION": "late"])
        #expect(!other.output.contains("sessions"), "\(other)")
    }

    @Test func `a root that is not served is warned of`() throws {
        try scratch.makeDirectory("elsewhere")
        let outcome = try add("x", "--root", "elsewhere")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors.hasPrefix(
                "warning: <scratch>/elsewhere is not below a root of the configuration, so nothing in it is served\n"
            ), "\(outcome)")
    }

    @Test(
        arguments: [
            (["--session", "nowhere"], 66, "no session is named 'nowhere'"),
            (["--root", "nowhere"], 66, "<scratch>/nowhere: does not exist"),
            (["--expires", "soon"], 64, "--expires 'soon' is not a duration of a second or more"),
            (["--expires", "0"], 64, "--expires '0' is not a duration of a second or more"),
            (["--person", ""], 65, "the person '' is not a valid one"),
        ] as [([String], Int32, String)])
    func `what can't be meant is refused, and no token made`(
        arguments: [String], status: Int32, message: String
    )
        throws
    {
        let outcome = try scratch.trace(["token", "add", "--name", "x", "--scope", "read"] + arguments)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.hasPrefix("error: \(message)"), "\(outcome)")
        #expect(outcome.output == "")
        #expect(!scratch.exists("state/access"))
    }

    @Test func `a scope that does not exist is refused with those that do`() throws {
        let outcome = try scratch.trace("token", "add", "--name", "x", "--scope", "root")
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.contains(
                "'root' is not a scope. Choose one of: read, mark, admin, feed, waterline"),
            "\(outcome)")
    }

    // MARK: - Listing

    @Test func `nothing is an answer too`() throws {
        #expect(try scratch.trace("token", "list") == Outcome(errors: "no tokens\n"))
        #expect(try scratch.trace("token", "list", "--json") == Outcome("[]\n"))
        #expect(try scratch.trace("token", "log") == Outcome(errors: "nothing was done\n"))
        #expect(try scratch.trace("token", "log", "--json") == Outcome("[]\n"))
    }

    @Test func `the last use is shown`() throws {
        _ = try add("phone")
        let file = try #require(try files().first)
        try scratch.makeDirectory("state/access-use")
        try scratch.write(
            #"{"at":"2026-02-04T20:00:00.000Z","address":"192.0.2.7"}"#, to: "state/access-use/\(file)")
        #expect(try list() == ["phone|ann|mark|everything|<now>||2026-02-04T20:00:00.000Z|192.0.2.7"])
    }

    @Test func `a damaged token is reported with its cure, and the others are listed`() throws {
        _ = try add("phone")
        _ = try add("laptop")
        let file = try #require(try files().first)
        try scratch.write("{\"id\":", to: "state/access/\(file)")
        let outcome = try scratch.trace("token", "list")
        #expect(outcome.output.contains("\tlaptop\t") && !outcome.output.contains("phone"))
        #expect(
            outcome.errors.hasPrefix("error: <scratch>/state/access/<ulid>.json: is not a token: byte 6: "),
            "\(outcome)")
        #expect(
            outcome.errors.contains(
                "\n  hint: restore the file from a backup, or remove it: trace token revoke <ulid>\n"))
        #expect(outcome.status == 65)
        let revoked = try scratch.trace("token", "revoke", String(file.dropLast(5)))
        #expect(revoked == Outcome("revoked: <ulid>\n"))
        #expect(try list().count == 1)
    }

    @Test func `a directory in which everybody may add tokens is refused`() throws {
        _ = try add("phone")
        #expect(try scratch.shell("chmod 777 state/access") == Outcome())
        let outcome = try scratch.trace("token", "list")
        #expect(outcome.status == 77)
        #expect(
            outcome.errors.contains(
                "[access-exposed]\n  hint: check what is in it, then close it: chmod o-rwx\n"))
    }

    @Test func `a terminal gets a table`() throws {
        _ = try add("phone", "--session", "late")
        let output = try scratch.shell(
            "NO_COLOR=1 TERM=xterm script -qec '\"$TRACE\" token list --utc; \"$TRACE\" token log --utc' /dev/null </dev/null"
        ).output.replacing("\r\n", with: "\n")
        let lines = output.split(separator: "\n")
        #expect(lines.count == 4, "\(output)")
        #expect(lines.first?.hasPrefix("NAME") == true)
        #expect(lines.dropFirst().first?.contains(number(1).suffix(6)) == true)
    }

    // MARK: - Changing

    @Test func `a token is revoked by its name, or by a part of its id`() throws {
        _ = try add("phone")
        _ = try add("laptop")
        #expect(try scratch.trace("token", "revoke", "phone") == Outcome("revoked: phone (<ulid>)\n"))
        let id = try #require(try files().first).dropLast(5)
        #expect(
            try scratch.trace("token", "revoke", id.suffix(6).lowercased())
                == Outcome("revoked: laptop (<ulid>)\n"))
        #expect(
            try scratch.trace("token", "revoke", "phone")
                == .failure(
                    66,
                    """
                    no token is named 'phone' [no-such-token]
                      hint: 'trace token list' lists the tokens
                    """))
        #expect(try files() == [])
    }

    @Test func `of several tokens with a name none is revoked`() throws {
        _ = try add("phone")
        _ = try add("laptop")
        // As earlier versions left them.
        for file in try files().map({ "state/access/\($0)" }) {
            try scratch.write(
                scratch.text(file, filled: false).replacing("laptop", with: "phone"), to: file)
        }
        #expect(
            try scratch.trace("token", "revoke", "phone")
                == .failure(
                    64,
                    """
                    2 tokens are named 'phone': <ulid> (phone), <ulid> (phone) [ambiguous-token]
                      hint: name it by its whole id
                    """))
        #expect(try list().count == 2)
    }

    @Test func `a token gets another name`() throws {
        _ = try add("phone")
        #expect(
            try scratch.trace("token", "rename", "phone", "Ann's phone")
                == Outcome("renamed: Ann's phone (<ulid>)\n"))
        #expect(try list() == ["Ann's phone|ann|mark|everything|<now>|||"])
        #expect(try scratch.trace("token", "rename", "phone", "x").status == 66)
        #expect(try scratch.trace("token", "rename", "Ann's phone", "").status == 65)
    }

    @Test func `what was done is in the log`() throws {
        _ = try add("phone")
        _ = try scratch.trace("token", "rename", "phone", "desk")
        _ = try scratch.trace("token", "revoke", "desk")
        let user = try scratch.run("/usr/bin/id", ["-un"]).output.dropLast()
        #expect(
            try scratch.trace("token", "log")
                == Outcome(
                    """
                    <now>\ttoken-added\t<ulid>\tphone\t\(user)\t\t\t
                    <now>\ttoken-renamed\t<ulid>\tdesk\t\(user)\t\t\t
                    <now>\ttoken-revoked\t<ulid>\tdesk\t\(user)\t\t\t

                    """))
        try scratch.write(
            try scratch.text("state/access/access.log", filled: false) + "x\n", to: "state/access/access.log")
        let damaged = try scratch.trace("token", "log")
        #expect(damaged.output.split(separator: "\n").count == 3)
        #expect(
            damaged.errors.hasPrefix(
                "error: <scratch>/state/access/access.log:4: is not a line of the access log"),
            "\(damaged)")
        #expect(damaged.status == 65)
    }

    @Test func `--session has no effect on those that change or list`() throws {
        for arguments in [["list"], ["revoke", "x"], ["rename", "x", "y"], ["log"]] {
            let outcome = try scratch.trace(["token"] + arguments + ["--session", "late"])
            #expect(outcome.status == 64 && outcome.errors.contains("--session has no effect"), "\(outcome)")
        }
    }

    // MARK: - Pairing

    @Test func `a pairing shows its codes once, and keeps hashes`() throws {
        let outcome = try scratch.trace("pair", "--name", "phone")
        let match = try #require(
            outcome.output.wholeMatch(
                of: #/code: ([0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4})\ngood for one use until: <now>\n/#),
            "\(outcome)")
        #expect(outcome.errors.hasPrefix("warning: the configuration names no address of the HTTP API"))
        #expect(outcome.errors.contains("http_listen: [127.0.0.1:8722]"))
        let code = match.output.1.replacing("-", with: "")
        for (name, contents) in try scratch.tree("state") {
            let text = String(decoding: contents, as: UTF8.self)
            #expect(!text.contains(code) && !text.contains(match.output.1), "\(name)")
        }
        #expect(try scratch.names(in: "state/access/pairing").count == 1)
        #expect(try scratch.trace("token", "list") == Outcome(errors: "no tokens\n"))
        #expect(try scratch.trace("token", "log").output.contains("\tpairing-begun\t\tphone\t"))
    }

    @Test func `a pairing can be limited, and not be for a feed`() throws {
        let outcome = try scratch.trace("pair", "--scope", "read", "--session", "late", "--json", "-q")
        #expect(
            outcome.output.contains("\"scope\":\"read\",\"sessions\":[\"\(number(1))\"],\"roots\":[]"),
            "\(outcome)")
        #expect(outcome.errors == "")
        let feed = try scratch.trace("pair", "--scope", "feed")
        #expect(
            feed.status == 64 && feed.errors.contains("trace token add --name NAME --scope feed"), "\(feed)")
    }
}
