package import RecordFormat

/// The place of the review audio in `media`: where no item's name says that it is one, the first that can be played is it.
///
/// Source: docs/spec/format.md#review-audio.
extension JSONObjectEditor {
    /// Puts an item into `media` that is to be the review audio: before the first one that can be played.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if `media` is not an array.
    package mutating func addReviewAudio(
        _ members: [(name: String, value: JSONText)]
    ) throws(FormatError) {
        guard let first = try items().firstIndex(where: { $0?.isPlayable ?? false }) else {
            return try append(members, toArray: "media")
        }
        try insert(members, intoArray: "media", before: first)
    }

    /// Moves the item of that file before the first one that can be played, if it is behind it and can be played itself.
    ///
    /// - Returns: Whether it was moved.
    /// - Throws: As ``addReviewAudio(_:)``.
    mutating func moveReviewAudio(_ path: String) throws(FormatError) -> Bool {
        let items = try items()
        guard let first = items.firstIndex(where: { $0?.isPlayable ?? false }),
            let index = items.firstIndex(where: { $0?.path == path && $0?.isPlayable == true }), index > first
        else { return false }
        try moveElement(ofArray: "media", from: index, before: first)
        return true
    }

    /// Every element of `media`; nil for what is not an item.
    private func items() throws(FormatError) -> [MediaItem?] {
        let text = Array(try text(of: "media") ?? [])
        let parser = try JSONParser()
        return try elements(of: "media").map { (range) throws(FormatError) in
            (try? parser.withParsed(text[range]) { MediaItem($0) }).flatMap(\.self)
        }
    }
}
