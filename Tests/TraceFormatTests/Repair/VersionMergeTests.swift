import FormatHarness
import RecordFormat
import Testing
import TraceFormat

/// What merging makes of particular versions.
struct VersionMergeTests {
    static func marker(_ number: Int, _ version: Int = 0, time: Int? = nil) -> String {
        MergeLines.line(.marker, number, time: time ?? number, version: version)
    }

    static func merge(_ file: [String], _ copies: [String]...) throws -> VersionMerge {
        try merge(.marker, file, copies)
    }

    static func merge(_ kind: RecordKind, _ file: [String], _ copies: [[String]]) throws -> VersionMerge {
        try VersionMerge(
            kind, file: MergeLines.file(file),
            copies: copies.enumerated().map { ("copy \($0)", MergeLines.file($1)) })
    }

    static func lines(_ merge: VersionMerge) -> [String] {
        #expect(merge.bytes.isEmpty || merge.bytes.last == 0x0A)
        return merge.bytes.text.split(separator: "\n").map(String.init)
    }

    @Test func `what both have stands once, what either has stands`() throws {
        let merge = try Self.merge([1, 2, 4].map { Self.marker($0) }, [1, 3, 4, 5].map { Self.marker($0) })
        #expect(Self.lines(merge) == [1, 2, 3, 4, 5].map { Self.marker($0) })
        #expect(merge.news == [2])
        #expect(merge.changed == [] && merge.undecided == [])
    }

    @Test func `a file that is missing or empty becomes its copy`() throws {
        #expect(Self.lines(try Self.merge([], [Self.marker(1)])) == [Self.marker(1)])
        #expect(try Self.merge([], []).bytes == [])
    }

    @Test func `a version that has all the others have keeps its order`() throws {
        let whole = [4, 1, 3, 2].map { Self.marker($0) }
        #expect(Self.lines(try Self.merge(whole, [Self.marker(1), Self.marker(2)])) == whole)
        #expect(Self.lines(try Self.merge([Self.marker(1), Self.marker(2)], whole, [])) == whole)
        #expect(Self.lines(try Self.merge(whole, whole)) == whole)
        let other = [1, 2, 3, 4].map { Self.marker($0) }
        #expect(Self.lines(try Self.merge(whole, other)) == whole)
        #expect(Self.lines(try Self.merge(other, whole)) == whole)
    }

    @Test func `a timeline out of order does not keep it, nor does a run whose end stands first`() throws {
        let timeline = [30, 10, 20].map { MergeLines.line(.timeline, $0, time: $0) }
        #expect(Self.lines(try Self.merge(.timeline, timeline, [[]])) == timeline.sorted())
        let run = [1, 0].map { MergeLines.line(.action, 1, time: 5, version: $0) }
        #expect(Self.lines(try Self.merge(.action, run, [[]])) == run.reversed())
    }

    /// Whatever bytes an edit has, an older copy does not undo it, and a newer one brings it.
    @Test(arguments: [(1, 2), (2, 1)])
    func `the edit counts, whichever version has it`(first: Int, second: Int) throws {
        let (old, new) = ([Self.marker(1, first)], [Self.marker(1, first), Self.marker(1, second)])
        let kept = try Self.merge(new, old)
        #expect(Self.lines(kept) == new)
        #expect(kept.changed == [])
        let brought = try Self.merge(old, new)
        #expect(Self.lines(brought) == new)
        #expect(brought.changed.map(\.description) == [MergeLines.id(1)])
        #expect(brought.undecided == [])
    }

    /// `a`, then `b`, then `a` again: what counts is `a`, and the copy that was made in between changes
    /// nothing.
    @Test(arguments: [(1, 2), (2, 1)])
    func `an edit that was taken back stays taken back`(first: Int, second: Int) throws {
        let (one, two) = (Self.marker(1, first), Self.marker(1, second))
        for (file, copy) in [([one, two, one], [one, two]), ([one, two], [one, two, one])] {
            #expect(Self.lines(try Self.merge(file, copy)) == [one, two, one])
        }
    }

    @Test func `of two edits that know nothing of each other the later counts, and it is told`() throws {
        let (early, late) = (Self.marker(1, 9, time: 2), Self.marker(1, 5, time: 3))
        for (file, copy) in [(early, late), (late, early)] {
            let merge = try Self.merge([Self.marker(1), file], [Self.marker(1), copy])
            #expect(Self.lines(merge) == [Self.marker(1), early, late])
            #expect(merge.undecided.map(\.description) == [MergeLines.id(1)])
        }
    }

    @Test func `of two edits of one time the greater text counts`() throws {
        let merge = try Self.merge([Self.marker(1), Self.marker(1, 7)], [Self.marker(1), Self.marker(1, 3)])
        #expect(Self.lines(merge) == [Self.marker(1), Self.marker(1, 3), Self.marker(1, 7)])
    }

    @Test func `an edit of the merged file settles it for all`() throws {
        let parts = [[Self.marker(1), Self.marker(1, 7)], [Self.marker(1), Self.marker(1, 3)]]
        let settled = Self.lines(try Self.merge(parts[0], parts[1])) + [Self.marker(1, 5)]
        for part in parts {
            let merge = try Self.merge(part, settled)
            #expect(Self.lines(merge).last == Self.marker(1, 5))
            #expect(merge.undecided == [])
        }
    }

    @Test func `a timeline and a transcript stay in order`() throws {
        for kind in [RecordKind.timeline, .transcript] {
            func line(_ number: Int, _ offset: Int) -> String {
                MergeLines.line(kind, number, time: 40 - offset, offset: offset)
            }
            let merge = try Self.merge(
                kind, [line(1, 0), line(2, 20)], [[line(1, 0), line(3, 10), line(4, 30)]])
            #expect(Self.lines(merge) == [line(1, 0), line(3, 10), line(2, 20), line(4, 30)])
        }
    }

    @Test func `start and end of a session stand around what has their offset and time`() throws {
        func entry(_ number: Int, _ kind: String) -> String {
            MergeLines.line(.timeline, number, time: 0).replacing("media_start", with: kind)
        }
        let end = try Self.merge(.timeline, [entry(1, "session_end")], [[entry(2, "media_end")]])
        #expect(Self.lines(end) == [entry(2, "media_end"), entry(1, "session_end")])
        let start = try Self.merge(.timeline, [entry(1, "media_start")], [[entry(2, "session_start")]])
        #expect(Self.lines(start) == [entry(2, "session_start"), entry(1, "media_start")])
    }

    @Test func `a run's end stands behind its start, whatever the clocks say`() throws {
        let start = MergeLines.line(.action, 1, time: 9, version: 0)
        let success = MergeLines.line(.action, 1, time: 3, version: 1)
        let failure = MergeLines.line(.action, 1, time: 5, version: 2)
        for parts in permutations(of: [[start], [success], [failure], [failure, start]]) {
            #expect(
                Self.lines(try Self.merge(.action, parts[0], Array(parts.dropFirst()))) == [
                    start, success, failure,
                ])
        }
    }

    @Test func `line breaks, blank lines and a byte order mark belong to no line`() throws {
        let file = Array("\u{FEFF}\(Self.marker(1))\r\n\n  \n\(Self.marker(2))".utf8)
        let copies = [("copy", Array("\(Self.marker(1))\n\(Self.marker(2))\r\n".utf8))]
        let merge = try VersionMerge(.marker, file: file, copies: copies)
        #expect(Self.lines(merge) == [Self.marker(1), Self.marker(2)])
        #expect(merge.news == [0])
    }

    @Test func `records that break the format are merged too, with an id or without`() throws {
        let odd = [#"{"id":"\#(MergeLines.id(1))","colour":"red"}"#, #"{"id":"lower"}"#, "{}"]
        let merge = try Self.merge([], odd)
        #expect(Set(Self.lines(merge)) == Set(odd))
        #expect(Self.lines(try Self.merge(Self.lines(merge), odd)) == Self.lines(merge))
    }

    @Test func `what is damaged in the file stays behind its record, what is damaged in a copy is reported`()
        throws
    {
        let nul = String(repeating: "\0", count: 3)
        let file = ["torn", Self.marker(2), nul, "{", Self.marker(4)]
        let merge = try Self.merge(file, [Self.marker(1), nul, Self.marker(3), "{\"id\":\"01"])
        #expect(
            Self.lines(merge) == [
                "torn", Self.marker(1), Self.marker(2), nul, "{", Self.marker(3), Self.marker(4),
            ])
        #expect(
            merge.damages.map { $0.map(\.description) } == [
                [
                    "copy 0:4:10 (byte \(merge.damages[0][0].place.byteOffset)): the text ends in the middle of a string [json-syntax]"
                ]
            ])
    }

    @Test func `a line beyond every length is damage`() throws {
        let long = "{\"id\":\"" + String(repeating: "x", count: LineBuffer.maximumLineLength) + "\"}"
        let merge = try Self.merge([Self.marker(1), long], [Self.marker(2)])
        #expect(merge.bytes == MergeLines.file([Self.marker(1), long, Self.marker(2)]))
    }
}
