package import TraceFormat

extension SessionWriter {
    /// Gives a tag another name in all markers of the session: the last line of each is appended once more with it, every
    /// other byte as it was.
    ///
    /// - Parameters:
    ///   - old: Exactly as it stands there.
    ///   - isDryRun: Only says which markers would be changed.
    /// - Returns: The markers, in the order of the file, and what a person should know.
    /// - Throws: ``StoreError``; what has been changed before stands, and the same again does the rest.
    /// - Note: Durable on return. Killed in between, some of the markers have the new tag.
    ///
    /// Source: format.md, rules 1 and 8.
    package func renameTag(
        _ old: String, to new: String, isDryRun: Bool = false
    ) throws -> (markers: [ULID], notices: [String]) {
        guard !isDryRun else {
            return (try OpenSession(path).markers(bearing: old).map(\.value), [])
        }
        return try recorded(.renameTag) { session in
            try session.finishLastLine(of: .marker)
            let found = try OpenSession(session.directory).markers(bearing: old)
            guard !found.isEmpty else { return ([], []) }
            var edit = RecordEdit()
            edit.renamedTag = (old, new)
            var notices: [String] = []
            // All are made before the first is written, so that one that can't be changed leaves all as they were.
            let lines = try found.map { marker in
                let edited = try edit.applied(to: marker.line)
                try RecordCheck.require(edited, toBe: .marker, noWorseThan: marker.line)
                return edited
            }
            for line in lines { notices += try session.appendVerbatim(line, to: .marker) }
            return (found.map(\.value), notices + session.finish("the markers are changed"))
        }
    }
}

extension OpenSession {
    /// The ids and lines of the markers that bear a tag.
    fileprivate func markers(bearing tag: String) throws -> [Found<ULID>] {
        try authoritative(.marker, where: { $0.tags.contains(tag) }) { Marker($0)?.id }
    }
}
