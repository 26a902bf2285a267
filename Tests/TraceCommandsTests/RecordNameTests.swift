import Testing

/// How a person names a marker or a voice note.
struct RecordNameTests {
    let scratch: Scratch
    private static let ids = [
        "01KA0000000000000000AAAA11", "01KA0000000000000000BBBB22", "01KB0000000000000000CCCC11",
    ]

    init() throws {
        scratch = try Scratch()
        func line(_ id: String, _ offset: Int, _ label: String) -> String {
            """
            {"id":"\(id)","offset_ms":\(offset),"created_at":"2026-02-04T20:01:00.000Z","source":"user","label":"\(label)"}

            """
        }
        try scratch.session(
            "a",
            markers: line(Self.ids[2], 90_450, "third") + line(Self.ids[0], 14_830, "first")
                + line(Self.ids[1], 14_870, "second") + line(Self.ids[0], 14_830, "First"))
    }

    @Test(arguments: [
        ("last", 0), ("01KB", 2), ("01kb", 2), ("01KA0000000000000000A", 0), ("AA11", 0), ("cccc11", 2),
        ("BBBB22", 1),
        ("@1:30", 2), ("@1:30.4", 2), ("@90450", 2), ("@90s", 2), ("@1m30s", 2), ("@0:14.83", 0),
        ("@0:14.870", 1),
        (ids[1], 1), (ids[1].lowercased(), 1),
    ])
    func `a part of the id, last and a place name a marker`(name: String, wanted: Int) throws {
        #expect(
            try scratch.trace("marker", "edit", "sessions/a", name, "--tag", "drop", "-q")
                == Outcome("marker: \(Self.ids[wanted])\n"))
    }

    @Test(arguments: [
        (
            "01KA",
            "'01KA' names 2 markers of <scratch>/sessions/a: \(ids[1]) 0:14.8 \"second\", \(ids[0]) 0:14.8 \"First\""
        ),
        (
            "@0:14.8",
            "'@0:14.8' names 2 markers of <scratch>/sessions/a: \(ids[1]) 0:14.8 \"second\", \(ids[0]) 0:14.8 \"First\""
        ),
    ])
    func `what names several is an error that shows them`(name: String, message: String) throws {
        #expect(
            try scratch.trace("marker", "remove", "sessions/a", name)
                == .failure(64, "\(message)\n  hint: write more of the id"))
    }

    @Test(arguments: [
        (
            66, "@1:31",
            "no marker of <scratch>/sessions/a matches '@1:31'\n  hint: 'trace markers list a' lists the ids"
        ),
        (
            66, "@1:30.5",
            "no marker of <scratch>/sessions/a matches '@1:30.5'\n  hint: 'trace markers list a' lists the ids"
        ),
        (
            66, "ZZZZ",
            "no marker of <scratch>/sessions/a matches 'ZZZZ'\n  hint: 'trace markers list a' lists the ids"
        ),
        (
            64, "01K",
            "'01K' is not the id of a marker\n  hint: write its 26 characters, 4 or more characters from its beginning or end, 'last', or @1:30 for its offset"
        ),
        (
            64, "",
            "'' is not the id of a marker\n  hint: write its 26 characters, 4 or more characters from its beginning or end, 'last', or @1:30 for its offset"
        ),
        (
            64, "@soon",
            "'soon' is not an offset: expected a number before 'soon'\n  hint: write milliseconds (5000), a time (2:00, 1:02:03.250) or units (90s, 1h2m3s, 250ms)"
        ),
    ])
    func `what names none is an error with its cure`(status: Int32, name: String, message: String) throws {
        #expect(
            try scratch.trace("marker", "edit", "sessions/a", name, "--tag", "drop")
                == .failure(status, message))
    }

    @Test func `a session without markers has no last one`() throws {
        try scratch.session("empty", id: 2)
        #expect(
            try scratch.trace("marker", "edit", "sessions/empty", "last", "--tag", "drop")
                == .failure(
                    66,
                    "no marker of <scratch>/sessions/empty matches 'last'\n  hint: 'trace markers list empty' lists the ids"
                ))
    }

    @Test func `a voice note is named so too, and the marker that one belongs to`() throws {
        try scratch.write("sound", to: "take.m4a")
        let added = try scratch.trace(
            "voice-note", "sessions/a", "--offset", "0:20", "--duration", "2s", "--media-file", "take.m4a",
            "--marker-id", "@1:30",
            "-q")
        #expect(added.status == 0, "\(added)")
        #expect(try scratch.text("sessions/a/voice_notes.jsonl").contains("\"marker_id\":\"\(Self.ids[2])\""))
        #expect(
            try scratch.trace("voice-note", "set-transcript", "sessions/a", "last", "slower")
                == Outcome("transcript: updated\n"))
        #expect(try scratch.text("sessions/a/voice_notes.jsonl").contains("\"transcript_text\":\"slower\""))
        #expect(
            try scratch.trace("voice-note", "set-transcript", "sessions/a", "@0:20", "faster")
                == Outcome("transcript: updated\n"))
    }
}
