internal import TraceFormat

/// Tags of a command line that are to be written.
enum TagArgument {
    /// - Throws: ``CommandFailure`` with `.usage` for the first that is not a tag.
    static func check(_ tags: [String]) throws(CommandFailure) {
        for tag in tags where !tag.isEmpty && !Marker.isTag(tag) {
            throw CommandFailure(
                .usage, "'\(tag)' is not a valid tag; nothing was written",
                hint:
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
