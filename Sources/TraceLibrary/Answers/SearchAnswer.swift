package import RecordFormat
internal import TraceFormat
package import TraceIndex

/// What was found, the best hit first.
package struct SearchAnswer: Sendable {
    /// At most as many as were asked for.
    package let hits: [Hit]
    /// Whether there are more.
    package let hasMore: Bool
    /// What would be found instead if each word need only begin so; nil if something was found, or nothing would be.
    package let suggestion: Suggestion?
    /// Whether the search text was damaged, and was filled in again before.
    package let isRebuilt: Bool

    /// A hit with the session that it is in and its line.
    package struct Hit: Sendable {
        package let hit: SearchHit
        package let session: IndexedSession
        /// Nil for a title, and where the root is offline.
        let line: [UInt8]?

        /// The hit with the keys of docs/cli-json.md.
        package func json(_ form: AnswerForm) -> JSONText {
            .object { object in
                session.addIdentity(to: &object, form)
                object.member("kind", JSONText(hit.kindName))
                object.member("offset_ms", hit.record?.offset.map { JSONText($0) })
                object.member("wall_time", (hit.record?.wallTime).map { JSONText($0) })
                object.member(
                    "snippet", JSONText(form.handle == nil ? hit.snippet.text : hit.snippet.marked))
                object.member("record", line.map { JSONText(verbatim: $0) })
            }
        }
    }

    /// Other words to search for.
    package struct Suggestion: Sendable, Hashable {
        /// How a person types them.
        package let words: String
        /// How many hits they have, or as many as were counted.
        package let count: Int
        /// Whether that is not all of them.
        package let hasMore: Bool
    }

    /// The hits as an array.
    package func json(_ form: AnswerForm) -> JSONText { .array(hits.lazy.map { $0.json(form) }) }
}

extension SearchHit.Snippet {
    /// The text with U+E000 before each hit and U+E001 behind it. They have no meaning of their own, so a page that puts the text in
    /// as text can make each hit an element, and no text becomes markup.
    ///
    /// Source: docs/cli-json.md#trace-search.
    fileprivate var marked: String {
        parts.map { $0.isHit ? "\u{E000}\($0.text)\u{E001}" : $0.text }.joined()
    }
}
