internal import RecordFormat
internal import TraceFormat

/// The reader of `session.json`, its rules, its editor and its mending.
struct SessionFuzzing {
    private let bytes: [UInt8]

    init(_ input: [UInt8]) { bytes = input }

    func check() throws {
        let session = try checkedSession()
        try requirePlaces(session ?? Session())
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if session != nil { try requireEditable(text) }
        try requireMendable()
    }

    private func checkedSession() throws -> Session? {
        let places = PlaceCheck(bytes)
        var findings: [Finding] = []
        let checker = try RecordChecker(.session)
        let session = PaddedBytes.withLine(bytes) { line in
            checker.check(line) { findings.append($0) }.map { Session($0) }
        }
        for finding in findings { try places.require(finding) }
        try require(session != nil || !findings.isEmpty, "no session, and nothing says why")
        return session
    }

    /// What the rules across files say of it, with all files there and with none.
    private func requirePlaces(_ session: Session) throws {
        let places = PlaceCheck(bytes)
        for files in [Set(SessionLayout.files), []] {
            let builder = SessionFactsBuilder(session: session)
            var directory = SessionFacts.Directory()
            directory.files = files
            for path in builder.mediaPaths { directory.media[path] = files.isEmpty ? .missing : .outside }
            for finding in builder.finish(directory: directory).findings() {
                try places.require(finding, mayBeWhole: true)
            }
        }
    }

    /// A member that is set has its value, and no other changes.
    private func requireEditable(_ text: [UInt8]) throws {
        let before = try JSONObjectEditor(text)
        var editor = before
        let keys = ["updated_at", "title", "media"]
        try editor.set("title", to: JSONText("\u{1F3B5} \"\\"))
        for key in keys {
            let value = try editor.text(of: key)
            let expected = key == "title" ? JSONText("\u{1F3B5} \"\\").bytes[...] : try before.text(of: key)
            try require(value == expected, "setting title changes \(key)")
        }
        let checker = try RecordChecker(.session)
        let title = PaddedBytes.withLine(editor.bytes) { line in
            checker.check(line) { _ in }.map { Session($0).title }
        }
        try require(title != nil, "an edited object is no object any more")
        let once = editor.bytes
        try editor.set("title", to: JSONText("\u{1F3B5} \"\\"))
        try require(editor.bytes == once, "setting a value that is there changes something")
    }

    /// A mended header needs no mend, and where nothing is mended no byte is another.
    private func requireMendable() throws {
        var evidence = HeaderFix.Evidence()
        evidence.files = Set(SessionLayout.files)
        evidence.ends = [SessionOffset(milliseconds: 600_000)]
        evidence.copies = [(name: "copy", bytes: bytes)]
        guard let fix = HeaderFix(bytes, knowing: evidence) else { return }
        try require(
            fix.fixes.isEmpty == (fix.bytes == bytes),
            "a mend that changes nothing, or a change that is none")
        let again = HeaderFix(fix.bytes, knowing: evidence)
        try require(again != nil, "a mended header is none any more")
        try require(again?.bytes == fix.bytes && again?.fixes.isEmpty == true, "a mend needs a mend")
        for reason in fix.fixes.map(\.reason) + fix.unresolved.map(\.message) {
            try require(!reason.isEmpty, "a mend without a reason")
        }
    }
}
