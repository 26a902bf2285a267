package import RecordFormat
package import TraceText

/// What was not taken of a file of another program, or how something in it was read that can be read in more than one way.
///
/// Source: docs/exchange.md#what-is-not-taken.
package struct ImportNotice: Sendable, Hashable {
    /// What a notice is about; `--json` has the raw values.
    package enum Thing: String, Sendable, CaseIterable {
        /// A marker, or a segment of a transcript, whose meaning can't be taken.
        case marker
        /// A value of a marker whose meaning can't be taken; the rest of the marker is.
        case value
        /// A column of a table.
        case column
        /// A field behind the last column.
        case field
        /// A member of an object, or a key.
        case member
        /// A text that has no place in a marker.
        case text
        /// Who speaks, in a WebVTT cue.
        case voice
        /// Settings of a WebVTT cue: where on the picture its text is.
        case setting
        /// The colour of a marker.
        case colour
        /// A block of WebVTT that is neither a cue, nor a remark, a style or a region.
        case block
        /// A line without a time.
        case line
        /// The second of two times.
        case secondTime = "second-time"
        /// An event of a decision list that has no marker.
        case event
        /// A marker on a clip.
        case clipMarker = "clip-marker"
        /// In which unit times are read.
        case unit
        /// From where times count.
        case origin
        /// A marker that the rules of a format require, and that means nothing.
        case filler
        /// An id that belongs to another record.
        case id
        /// A reference to a voice note that the session does not have.
        case voiceNote = "voice-note"
        /// What an earlier import brought that is replaced.
        case earlierImport = "earlier-import"
        /// Something that is not about the file.
        case session
        /// The file as a whole: it has no markers.
        case file
    }

    /// What it is about.
    package let thing: Thing
    /// How many of them there are, 1 or more.
    package let count: Int
    /// What the file calls them, the first few.
    package let names: [String]
    /// Where the first of them is; nil where that tells nothing.
    package let place: Finding.Place?
    /// What is said of them, without a trailing period.
    package let message: String
    /// What can be done about it.
    package let cure: Cure?

    /// A notice of its parts.
    package init(
        _ thing: Thing, count: Int = 1, names: [String] = [], at place: Finding.Place? = nil,
        _ message: String, cure: Cure? = nil
    ) {
        self.thing = thing
        self.count = count
        self.names = names
        self.place = place
        self.message = message
        self.cure = cure
    }

    /// As people at a terminal read it, the cure on a line of its own.
    package var text: String {
        ErrorReport(place: place?.description, message: message, cure: cure).text
    }

    /// The notice with the keys of docs/cli-json.md.
    ///
    /// - Parameter hint: How a cure is written for who gets the answer; nil if there is nothing for them.
    package func json(_ hint: (Cure) -> String? = \.text) -> JSONText {
        .object { object in
            object.member("about", JSONText(thing.rawValue))
            object.member("count", JSONText(Int64(count)))
            object.member("names", names.isEmpty ? nil : .array(names.map { JSONText($0) }))
            object.member("message", JSONText(message))
            object.member("hint", cure.flatMap(hint).map { JSONText($0) })
            object.member("line", place.map { JSONText(Int64($0.line)) })
            object.member("byte_offset", place.map { JSONText(Int64($0.byteOffset)) })
        }
    }
}
