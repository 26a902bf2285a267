/// The version of a resource that would be sent, which conditions and ranges are evaluated against.
package struct Representation: Sendable {
    /// How many bytes it has; not negative.
    package var size: Int64
    /// The tag of exactly this version in exactly this content coding.
    var tag: EntityTag?
    /// When it was last changed.
    var modified: HTTPDate?
    /// Whether it has been unchanged for so long that any further change gives it another `modified`. A file that is being written
    /// has many versions within one second.
    ///
    /// Source: RFC 9110, section 8.8.2.2.
    var hasRested: Bool

    /// A version with these properties; a negative size counts as 0.
    package init(size: Int64, tag: EntityTag?, modified: HTTPDate?, hasRested: Bool) {
        self.size = max(0, size)
        self.tag = tag
        self.modified = modified
        self.hasRested = hasRested
    }
}
