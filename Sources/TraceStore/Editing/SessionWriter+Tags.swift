package import RecordFormat
internal import TraceFiles
internal import TraceFormat

extension SessionWriter {
    /// Gives a tag another name in all markers of the session: the last line of each is appended once more with it, every
    /// other byte as it was.
    ///
    /// - Parameters:
    ///   - old: Exactly as it is there.
    ///   - isDryRun: Only says which markers would be changed.
    /// - Returns: The markers, in the order of the file, and what a person should know.
    /// - Throws: ``FileError``; if only `session.json` could not be updated, the markers have the new tag and the error says
    ///   so.
    /// - Note: Durable on return: all of them in one append. Killed in between, none of the markers have the new tag, or the
    ///   first ones, or all.
    ///
    /// Source: docs/spec/format.md#rules-across-lines-and-files, rules 1 and 8.
    package func renameTag(
        _ old: String, to new: String, isDryRun: Bool = false
    ) throws -> (markers: [ULID], notices: [String]) {
        guard !isDryRun else {
            return (try SessionReader(path).markers(bearing: old).map(\.value), [])
        }
        return try recorded(.renameTag) { session in
            try session.finishLastLine(of: .marker)
            let found = try SessionReader(session.directory).markers(bearing: old)
            guard !found.isEmpty else { return ([], []) }
            var edit = RecordEdit()
            edit.renamedTag = (old, new)
            // All are made before the first is written, so that one that can't be changed leaves all as they were.
            var lines: [UInt8] = []
            for marker in found {
                let edited = try edit.applied(to: marker.line)
                try RecordCheck.require(edited, toBe: .marker, noWorseThan: marker.line)
                lines += edited + [newline]
            }
            let notices = try session.append(
                together: lines, count: found.count, to: .marker, notedIn: undoLog)
            return (found.map(\.value), notices + session.finish("the markers were changed"))
        }
    }
}

extension SessionReader {
    /// The ids and lines of the markers that have a tag.
    fileprivate func markers(bearing tag: String) throws -> [Found<ULID>] {
        try authoritative(.marker, where: { $0.tags?.contains { $0.string == tag } ?? false }) {
            Marker($0)?.id
        }
    }
}
