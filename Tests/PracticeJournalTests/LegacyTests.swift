import PracticeJournal
import RecordFormat
import Testing

struct LegacyTests {
    @Test(arguments: GoldenCase.all(of: "practice-legacy"))
    func `the older shape is told and converted`(golden: GoldenCase) throws {
        let document = try golden.need("document")
        #expect(document.read { DocumentShape(of: $0) }?.rawValue == golden.text("shape"))
        guard let expected = golden["expect"] else { return }
        let now = Timestamp(milliseconds: Int64(try #require(golden["now_ms"]?.integer)))
        let conversion = try #require(document.read { LegacyConversion(of: $0, now: now) })
        let found = GoldenValue(conversion.bytes)
        for (name, value) in try expected.need("document").members {
            #expect(found[name] == value, "\(name)")
        }
        #expect(found == expected["document"])
        #expect(
            conversion.found.findings.map { "\($0.rule.id) \($0.path)" }
                == (try expected.need("findings").elements.map { "\($0.text("rule")) \($0.text("path"))" }))
    }

    @Test(arguments: GoldenCase.all(of: "practice-android"))
    func `what Android leaves odd is converted`(golden: GoldenCase) throws {
        let now = Timestamp(milliseconds: Int64(try #require(golden.file["now_ms"]?.integer)))
        let conversion = try #require(try golden.need("document").read { LegacyConversion(of: $0, now: now) })
        let (found, expected) = (GoldenValue(conversion.bytes), try golden.need("expect"))
        let members = try expected.need("document").members
        #expect(!members.isEmpty)
        for (name, value) in members { #expect(found[name] == value, "\(name)") }
        #expect(
            conversion.found.findings.map { "\($0.rule.id) \($0.path)" }
                == (try expected.need("findings").elements.map { "\($0.text("rule")) \($0.text("path"))" }))
    }

    @Test(arguments: [
        ["a", "a", "a#2"], ["a#2", "a", "a"], ["a", "a", "a#2", "a#2", "a", "a#2#2"],
        ["", "journal-empty", "", "journal-empty#2"],
    ])
    func `no two records of an array get the same id, whatever their texts`(raws: [String]) throws {
        let text = JSONText.object { document in
            document.member(
                "journal",
                JSONText.array(
                    raws.map { raw in
                        JSONText.object {
                            $0.member("id", raw)
                            $0.member("action", "study")
                            $0.member("summary", "Tutorial progress on X: 7%")
                        }
                    }))
        }
        let document = try Scene.document(text.bytes)
        for array in [PracticeArray.journalEntries, .studyEvents, .videoProgressEntries] {
            let ids = document.ids(of: array)
            #expect(ids.count == raws.count && Set(ids).count == raws.count, "\(ids)")
        }
    }

    @Test func `the group that is selected is the one whose id has that text`() throws {
        let document = try Scene.document(
            #"{"groups":[{"id":"a"},{"id":"a"},{"id":"a#2"}],"selectedGroupID":"a#2"}"#.utf8)
        #expect(Set(document.groups.map(\.id)).count == 3)
        #expect(document.settings.selectedGroup == document.groups.last?.id)
    }

    /// What the forms of the older texts leave to think about: `task|percent|value|note`.
    @Test(arguments: [
        ("read 5% of Of Mice rulesheet", "rulesheet|5||"),
        ("Read 5% of X rulesheet: a: b", "rulesheet|5||a: b"),
        ("Read 5% of X rulesheet too", "rulesheet|5||Read 5% of X rulesheet too"),
        ("Read 5% of a rulesheet rulesheet:\n n", "rulesheet|5||n"),
        ("Read 5% of X \n rulesheet: n", "rulesheet|5||n"), ("Read 5% of X   rulesheet", "rulesheet|5||"),
        ("Tutorial progress on Star: Wars: 7%", "tutorialVideo||Wars|7%"),
        ("Tutorial progress on X:   ", "rulesheet|||Tutorial progress on X:"),
        ("GAMEPLAY PROGRESS ON X: 1:02: late", "gameplayVideo||1:02|late"),
        ("Viewed X playfield: twice", "playfield|||twice"),
        ("Viewed X\tplayfield", "rulesheet|||Viewed X\tplayfield"),
        ("", "rulesheet|||"), ("1000 %", "rulesheet|0||1000 %"), ("%5%", "rulesheet|5||%5%"),
        ("Rulesheet:\r\nProgress: 9%\r\nn1\r\nn2\r\n• X", "rulesheet|9||n1\nn2"),
        ("Gameplay Video:\nUpdated progress\n• X", "gameplayVideo|||"),
        ("Practice:\nPractice session\nramps\n• X", "practice|||ramps"),
    ])
    func `a text of the older shape is read`(summary: String, expected: String) throws {
        let document = JSONText.object { document in
            document.member(
                "journal",
                JSONText.array([
                    JSONText.object {
                        $0.member("action", "study")
                        $0.member("summary", summary)
                    }
                ]))
        }
        let row = try #require(try Scene.document(document.bytes).rows.first)
        let found = [row.task?.text, row.percent.map(String.init), row.videoValue, row.note]
        #expect(found.map { $0 ?? "" }.joined(separator: "|") == expected)
    }
}
