package import RecordFormat
package import TraceFormat
package import TraceText

/// The input of an import.
package struct ImportSource: Sendable {
    let text: [UInt8]
    /// The file name in places.
    let file: String

    package init(_ text: [UInt8], file: String) {
        self.text = text
        self.file = file
    }

    /// How the text is encoded, where that is not UTF-8; nil if nothing tells.
    var otherEncoding: String? {
        if text.starts(with: [0xFF, 0xFE, 0, 0]) || text.starts(with: [0, 0, 0xFE, 0xFF]) {
            return "UTF-32"
        }
        if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        // Without a mark in front: each character of ASCII has a byte of 0 beside it.
        guard text.count > 1, text[0] == 0 || text[1] == 0 else { return nil }
        return text.prefix(64).count { $0 == 0 } >= min(64, text.count) / 4 ? "UTF-16" : nil
    }

    /// Whether these are chapters as `mkvextract` writes them, simple or in XML.
    var isMatroskaChapters: Bool {
        let head = String(decoding: text.prefix(400), as: UTF8.self)
        return head.hasPrefix("CHAPTER0") && head.contains("NAME=") || head.contains("<Chapters>")
    }

    /// Whether there is nothing but white space.
    var isBlank: Bool {
        text.dropFirst(text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0).allSatisfy { $0 <= 0x20 }
    }
}

extension MarkerFormat {
    /// Reads all of it at once.
    ///
    /// - Parameter isStrict: Whether an element whose meaning can't be taken is a problem, and not a notice.
    package func read(_ source: ImportSource, isStrict: Bool = false) -> ImportedMarkers {
        var read = ImportedMarkers()
        var intake = MarkerSink(isStrict: isStrict) { marker in
            read.markers.append(marker)
            return nil
        }
        self.read(source, into: &intake)
        read.problems = intake.problems
        read.notices = intake.notices
        return read
    }
}

/// What has been read: markers, and what is in the way of taking them.
package struct ImportedMarkers: Sendable {
    package var markers: [ImportedMarker] = []
    /// Why the file as a whole can't be taken. As long as there is any, nothing should be.
    package var problems: [ExchangeProblem] = []
    /// What is not taken of it.
    var notices: [ImportNotice] = []

    init() {}
}

/// A marker that somebody has written: what it tells, and where it is.
package struct ImportedMarker: Sendable, Equatable {
    package var place: Finding.Place
    /// May be before 0 until the start of the recording is added from which it counts.
    package var offset: SessionOffset
    var duration: SessionOffset?
    var label: String?
    var note: String?
    var tags: [String] = []
    var id: ULID?
    var createdAt: Timestamp?
    var source: RecordSource?
    var voiceNoteID: ULID?
    /// The time code at which it is in a timeline, where the file tells that.
    var timeCode: String?
    /// The record, where what was read is one, and whole.
    var line: [UInt8]?

    init(at place: Finding.Place, _ offset: SessionOffset) {
        self.place = place
        self.offset = offset
    }

    /// With what stands for the label, or for the tags.
    init(at place: Finding.Place, _ offset: SessionOffset, title: String, duration: SessionOffset? = nil) {
        self.init(at: place, offset)
        if let tags = MarkerTitle.tags(of: title) {
            self.tags = tags
        } else if !title.isEmpty {
            label = title
        }
        if let duration, duration > .zero { self.duration = duration }
    }

    /// With all that a record tells; what lacks the right type is left out.
    init?(record: JSONValue, at place: Finding.Place) {
        guard let count = record[name: "offset_ms"]?.integer, count >= 0 else { return nil }
        self.init(at: place, SessionOffset(milliseconds: count))
        func id(_ name: StaticString) -> ULID? { record[name: name]?.utf8.flatMap(ULID.init(bytes:)) }
        self.id = id("id")
        voiceNoteID = id("voice_note_id")
        label = record[name: "label"]?.string
        note = record[name: "note"]?.string
        tags = record[name: "tags"]?.elements.compactMap(\.string).filter(Marker.isTag) ?? []
        createdAt = record[name: "created_at"]?.timestamp
        source = record[name: "source"]?.string.flatMap(RecordSource.init)
        duration = record[name: "duration_ms"]?.integer.flatMap {
            $0 < 0 ? nil : SessionOffset(milliseconds: $0)
        }
    }

    /// The marker that it becomes.
    ///
    /// - Parameters:
    ///   - id: For one that has none of its own.
    ///   - now: For one that does not say when it was made.
    package func marker(id newID: @autoclosure () -> ULID, now: Timestamp) -> Marker {
        Marker(
            id: id ?? newID(), offset: offset, createdAt: createdAt ?? now, source: source ?? .user,
            label: label,
            note: note, tags: tags, duration: duration, voiceNoteID: voiceNoteID)
    }
}

/// A problem in a file of another program: location, message and hint.
package struct ExchangeProblem: StructuredError, Sendable, Equatable {
    package let place: Finding.Place
    package let message: String
    package let cure: Cure?

    init(_ place: Finding.Place, _ message: String, cure: Cure? = nil) {
        self.place = place
        self.message = message
        self.cure = cure
    }

    package var report: ErrorReport {
        ErrorReport(place: place.description, message: message, cure: cure)
    }

    /// What is wrong is in the file.
    package var meaning: ErrorMeaning { ErrorMeaning(http: 422, exit: .badData, .refused) }
}
