/// Maps members of a record to columns of the index; nil for columns that the kind does not have.
package struct RecordColumns: Sendable, BitwiseCopyable {
    /// Integers of milliseconds. A timestamp as offset is that moment, in a journal whose offsets count from 1970.
    let offset, duration: StaticString?
    /// Timestamps.
    let createdAt, wallTime: StaticString?
    /// The id of another record.
    let reference: StaticString?
    /// The id of what the record is about.
    let subject: StaticString?
    /// A word that tells records of the kind apart.
    package let detail: StaticString?
    /// What a search looks in.
    let text, note: StaticString?
    package let mediaPath, tags: StaticString?

    package init(
        offset: StaticString? = nil, duration: StaticString? = nil, createdAt: StaticString? = nil,
        wallTime: StaticString? = nil, reference: StaticString? = nil, subject: StaticString? = nil,
        detail: StaticString? = nil,
        text: StaticString? = nil, note: StaticString? = nil, mediaPath: StaticString? = nil,
        tags: StaticString? = nil
    ) {
        self.offset = offset
        self.duration = duration
        self.createdAt = createdAt
        self.wallTime = wallTime
        self.reference = reference
        self.subject = subject
        self.detail = detail
        self.text = text
        self.note = note
        self.mediaPath = mediaPath
        self.tags = tags
    }
}
