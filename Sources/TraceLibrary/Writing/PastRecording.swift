package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceMedia
package import TraceStore
internal import TraceText

/// A recording from which a session is created afterwards.
package struct PastRecording: Sendable {
    package let file: FilePath
    package let media: NewMedia
    /// When its file was changed last: the end of the recording, if nobody has touched it since.
    private let changed: Timestamp

    /// Looks at a file.
    ///
    /// - Parameter shouldStop: Is asked while `ffprobe` reads it.
    /// - Throws: ``FileError`` with `.notFound`; ``LibraryError`` with `.notARecording` if it is not a regular file, or its
    ///   extension is not known.
    package init(_ file: FilePath, shouldStop: @escaping () -> Bool = { false }) throws {
        self.file = file
        guard let name = file.lastComponent else {
            throw FileError(.notFound, "is not a file", path: file, cure: "give the recording")
        }
        let status = try OpenDirectory(file.removingLastComponent()).status(of: name, followingLinks: true)
        guard status.kind == .regular else {
            throw LibraryError(
                .notARecording, about: "from", "'\(file.escaped)' is not a regular file",
                cure: "give the recording")
        }
        changed = status.identity.modified.timestamp
        guard let known = file.extension.flatMap({ MediaFileType.of(extension: $0) }) else {
            throw LibraryError(
                .notARecording,
                about: "from", "'\(file.escaped)': the extension does not identify the kind of recording",
                cure: "omit \(option: "from"), then add it with \(verb: "media add --kind … --mime …")")
        }
        media = NewMedia(
            kind: known.kind, mime: known.mime, startOffset: .zero,
            duration: try FFmpeg(for: "session init", opening: .any, shouldStop: shouldStop).probe(file)?
                .duration,
            suffix: file.extension.map { ".\($0)" } ?? "")
    }

    /// When the recording began: so long before its file was changed last as it lasts.
    ///
    /// - Throws: ``LibraryError`` with `.recordingLengthUnknown` if it is not known how long it lasts.
    package func start() throws(LibraryError) -> Timestamp {
        guard let duration = media.duration else {
            throw LibraryError(
                .recordingLengthUnknown,
                "when '\(file.escaped)' began is unknown, since ffprobe can't read its duration",
                cure: "give it with \(option: "start")")
        }
        return changed.subtracting(duration)
    }
}
