package import RecordFormat

/// What reading a document comes to: what is in it, and everything that is wrong with it.
///
/// Whatever the bytes are, they are read or there is a finding that says why not.
package struct PracticeReading {
    /// Nil if the bytes are not one JSON object.
    package let shape: DocumentShape?
    /// What is in it; of one in the older shape, what it is converted to. Nil if it can't be read.
    package let document: PracticeDocument?
    /// Where its parts are in the bytes; of one in the older shape, those of that. Nil if it can't be read.
    let outline: DocumentOutline?
    /// By place. Of a document that was read without checks, only what keeps it from being read.
    package let findings: [Finding]
    /// Where the note about a game as a whole is, its name included.
    private let gameNotes: [String: Range<Int>]

    /// Where in the bytes the note about a game is; the last one, if there are several.
    func range(ofGameNote game: String) -> Range<Int>? { gameNotes[game] }

    /// Whether something may be written into the document: it was read whole, and in a form that is known.
    package var isWritable: Bool {
        shape == .canonical && (document?.schemaVersion ?? .max) <= PracticeDocument.schemaVersion
    }

    /// - Parameters:
    ///   - bytes: The file.
    ///   - file: Its name in findings.
    ///   - library: By which ids of games are checked; without games they are not.
    ///   - now: The time, for groups of the older shape without a date, and for times that are to come.
    ///   - isChecked: Whether what can be read is checked, too, which takes longer than reading it.
    /// - Throws: ``FormatError`` with `.memory`.
    /// - Complexity: O(size)
    package init(
        _ bytes: [UInt8], file: String = "practice-state.json", library: GameLibrary = GameLibrary(),
        now: Timestamp, isChecked: Bool = true
    ) throws(FormatError) {
        var keys: StoredKeys?
        try self.init(
            bytes, file: file, library: library, now: now, isChecked: isChecked, looksForKeys: false,
            keys: &keys)
    }

    /// - Parameters:
    ///   - looksForKeys: Whether an object of stored keys is distinguished from a document. Nothing else is read of one then.
    ///   - keys: Those of the object; nil if it is a document.
    init(
        _ bytes: [UInt8], file: String, library: GameLibrary, now: Timestamp, isChecked: Bool = true,
        looksForKeys: Bool, keys: inout StoredKeys?
    ) throws(FormatError) {
        let checker = try RecordChecker(schema: Self.schema, file: file, strictness: .readable)
        var findings: [Finding] = []
        var shape: DocumentShape?
        var document: PracticeDocument?
        var known: DocumentOutline?
        var stored: StoredKeys?
        PaddedBytes.withLine(bytes) { line in
            guard let record = checker.check(line, report: { findings.append($0) }) else { return }
            let root = record.root
            if looksForKeys {
                stored = StoredKeys(root)
                if stored != nil { return }
            }
            let start = bytes.starts(with: PracticeDocument.byteOrderMark) ? 3 : 0
            let found = DocumentShape(of: root)
            shape = found
            let outline: DocumentOutline
            do throws(JSONScanner.Failure) {
                outline = try DocumentOutline(of: bytes, from: start)
            } catch {
                let place = Finding.Place(file: file, byteOffset: start + error.position)
                findings.append(Finding(.jsonSyntax, at: place, error.reason))
                return
            }
            known = outline
            var places = DocumentPlaces(of: bytes, in: file, outline)
            switch found {
            case .canonical where !isChecked:
                document = PracticeDocument(root, of: bytes, outline, DocumentDates(unitOf: root).unit)
            case .canonical:
                let dates = DocumentDates(of: root)
                var all = DocumentCheck.findings(of: root).findings + dates.found.findings
                let read = PracticeDocument(root, of: bytes, outline, dates.unit)
                document = read
                all += RelationCheck.findings(of: read, library: library, now: now).findings
                findings += places.findings(all)
            case .legacy:
                let conversion = LegacyConversion(of: root, now: now)
                let first = DocumentFinding(
                    rule: .practiceShapeLegacy, path: DocumentPath(),
                    message: "the document has Android's older shape")
                findings += places.findings([first] + conversion.found.findings)
                document = (try? PracticeReading(conversion.bytes, now: now, isChecked: false))?.document
            case .mixed:
                let first = DocumentFinding(
                    rule: .practiceShapeMixed, path: DocumentPath(),
                    message: "the document has keys of schema 4 and of Android's older shape")
                findings += places.findings([first])
            }
        }
        keys = stored
        self.shape = shape
        self.document = document
        outline = known
        gameNotes = known.map { Self.gameNotes($0, bytes) } ?? [:]
        self.findings = findings.enumerated().sorted {
            ($0.element.place.byteOffset, $0.offset) < ($1.element.place.byteOffset, $1.offset)
        }.map(\.element)
    }

    private static func gameNotes(_ outline: DocumentOutline, _ bytes: [UInt8]) -> [String: Range<Int>] {
        guard let member = outline.member(PracticeMap.gameSummaryNotes.rawValue),
            let notes = try? DocumentOutline.members(of: bytes, in: member.valueRange)
        else { return [:] }
        let places = notes.map { ($0.name, $0.nameRange.lowerBound..<$0.valueRange.upperBound) }
        return Dictionary(places, uniquingKeysWith: { _, last in last })
    }

    /// Only what makes a file a JSON object; what is in it has declarations of its own.
    private static let schema = RecordSchema(
        EntryKind(code: 16), in: "practice-state.json", isDocument: true,
        [.optional("schemaVersion", .object)], columns: RecordColumns())
}
