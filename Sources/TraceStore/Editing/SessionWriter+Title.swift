internal import RecordFormat
internal import TraceFormat

extension SessionWriter {
    /// Gives the session another title; every other byte of `session.json` but `updated_at` stays.
    ///
    /// - Returns: Whether it was called otherwise; if not, nothing is written.
    /// - Throws: ``FileError``; then nothing is changed.
    /// - Note: Durable on return.
    package func retitle(_ title: String) throws -> Bool {
        try recorded(.editSession) { session in
            guard try session.wholeHeader().title != title else { return false }
            try session.touch(after: "nothing was changed", undoing: ["title"]) { editor in
                try editor.set("title", to: JSONText(title))
            }
            return true
        }
    }
}
