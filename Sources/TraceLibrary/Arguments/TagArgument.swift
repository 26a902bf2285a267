internal import TraceFormat
internal import TraceText

/// Tags as they were typed, and are to be written.
package enum TagArgument {
    /// - Throws: ``LibraryError`` with `.tagMalformed` for the first that is not a tag.
    package static func check(_ tags: [String]) throws(LibraryError) {
        for tag in tags where !tag.isEmpty && !Marker.isTag(tag) {
            throw LibraryError(
                .tagMalformed, "'\(tag)' is not a valid tag; nothing was written",
                cure:
                    "use lower-case letters, digits, - and _, beginning with a letter or digit\(example(for: tag))"
            )
        }
    }

    /// What was probably meant.
    private static func example(for tag: String) -> String {
        let meant = String(tag.lowercased().map { $0 == " " ? "-" : $0 })
        return Marker.isTag(meant) ? ", such as '\(meant)'" : ""
    }
}
